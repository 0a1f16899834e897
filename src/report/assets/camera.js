// The eye on a scene in space: parallel rays, turned, moved and brought nearer with mouse, fingers and keys.
{
  const DEGREE = Math.PI / 180;
  const ISOMETRIC = Math.asin(1 / Math.sqrt(3));

  // Where the eye is, by the angle about the height and above the level, in radians.
  const VIEWS = [
    { name: "isometric", yaw: -45 * DEGREE, pitch: ISOMETRIC },
    { name: "front", yaw: -90 * DEGREE, pitch: 0 },
    { name: "side", yaw: 0, pitch: 0 },
    { name: "top", yaw: -90 * DEGREE, pitch: 90 * DEGREE },
  ];

  stickslip.Camera = class {
    constructor() { this.choose(0); }
    static views = VIEWS;
    // One of the views, with everything in it.
    choose(place) {
      const { yaw, pitch } = VIEWS[place];
      Object.assign(this, { view: place, yaw, pitch, zoom: 1, shift: [0, 0] });
      this.fitted = null;
      this.aim();
    }
    // The axes of the picture: to the right, upwards, towards the eye.
    aim() {
      const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
      this.right = [-sy, cy, 0];
      this.up = [-sp * cy, -sp * sy, cp];
      this.eye = [cp * cy, cp * sy, sp];
    }
    turn(yaw, pitch) {
      this.yaw += yaw;
      this.pitch = Math.min(90 * DEGREE, Math.max(-90 * DEGREE, this.pitch + pitch));
      this.view = -1;
      this.aim();
    }
    near(factor) { this.zoom = Math.min(200, Math.max(0.05, this.zoom * factor)); }
    // Moves the picture by pixels.
    move(across, down) { this.shift = [this.shift[0] + across, this.shift[1] + down]; }
    project(point) { return [dot(this.right, point), dot(this.up, point)]; }
    depth(point) { return dot(this.eye, point); }
    // Listens to a canvas; `changed()` hears of every change.
    listen(canvas, changed) {
      const touches = new Map();
      const spread = () => { const [a, b] = [...touches.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
      canvas.tabIndex = 0;
      canvas.addEventListener("pointerdown", (event) => {
        touches.set(event.pointerId, [event.clientX, event.clientY]);
        canvas.setPointerCapture(event.pointerId);
      });
      canvas.addEventListener("pointermove", (event) => {
        const from = touches.get(event.pointerId);
        if (!from) return;
        const way = [event.clientX - from[0], event.clientY - from[1]];
        const before = touches.size === 2 ? spread() : 0;
        touches.set(event.pointerId, [event.clientX, event.clientY]);
        if (touches.size === 2) {
          if (before > 0) this.near(spread() / before);
          this.move(way[0] / 2, way[1] / 2);
        } else if (event.shiftKey || event.buttons & 6) this.move(...way);
        else this.turn(-way[0] * 0.4 * DEGREE, way[1] * 0.4 * DEGREE);
        changed();
      });
      for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => touches.delete(event.pointerId));
      canvas.addEventListener("contextmenu", (event) => event.preventDefault());
      // The wheel scrolls the page until the scene was clicked.
      canvas.addEventListener("wheel", (event) => {
        if (document.activeElement !== canvas && !event.ctrlKey) return;
        event.preventDefault();
        this.near(Math.exp(-event.deltaY * 0.0015));
        changed();
      }, { passive: false });
      canvas.addEventListener("keydown", (event) => {
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (way && event.shiftKey) this.move(20 * way[0], 20 * way[1]);
        else if (way) this.turn(5 * DEGREE * way[0], -5 * DEGREE * way[1]);
        else if (event.key === "+" || event.key === "=") this.near(1.2);
        else if (event.key === "-") this.near(1 / 1.2);
        else if (/^[1-4]$/.test(event.key)) this.choose(Number(event.key) - 1);
        else return;
        event.preventDefault();
        changed();
      });
    }
  };

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

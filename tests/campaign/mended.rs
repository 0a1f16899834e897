//! Worlds in which a fault was found once: every model that takes them keeps all invariants.

use crate::worlds::look_again;

/// What was wrong, and the world that showed it.
const MENDED: [(&str, &str); 13] = [
    (
        "two bodies that touch and fall together have relative velocities of rounding only, to which the residual was \
         relative, and no step of nlp could be vouched for",
        r#"
        duration = 0.21
        step = 1e-2
        [[body]]
        shape = "rod"
        size = 0.602481101315584
        mass = 1.0
        position = [0.0, 0.16372770254913743]
        [[body]]
        shape = "box"
        size = [1.0386229951322754, 0.5193114975661377]
        mass = 1.0
        position = [-0.01, 0.4233834513322063]
        [ground]
        friction = 0.4
        restitution = 0.5
        "#,
    ),
    (
        "two discs that fly along with a rod between them had nothing but the rounding of its length to be relative to, and \
         no step of nlp, lcp and cone could be vouched for",
        r#"
        duration = 0.3
        step = 1e-3
        [[body]]
        name = "a"
        shape = "disc"
        size = 0.05
        mass = 1.0
        position = [0.0, 1.0]
        velocity = [1.0, 0.0]
        [[body]]
        name = "b"
        shape = "disc"
        size = 0.05
        mass = 2.0
        position = [0.3, 1.0]
        velocity = [1.0, 0.0]
        [[rod]]
        bodies = ["a", "b"]
        [ground]
        friction = 0.3
        "#,
    ),
    (
        "without gravity the rounding of a sphere that lay still was an impact or none, by the order of the bodies, and \
         with it another one's landing was taken in one stage or in two",
        r#"
        duration = 0.03
        step = 0.01
        gravity = 0.0
        [[body]]
        name = "body-0"
        shape = "sphere"
        size = 0.2881081991909663
        mass = 3.1729099127269222
        position = [1.6, 0.0, 3.288108199190966]
        [[body]]
        name = "body-1"
        shape = "sphere"
        size = 0.11342940597069862
        mass = 10.439632243375888
        position = [3.2, 0.0, 4.113429405970699]
        [[body]]
        name = "body-2"
        shape = "sphere"
        size = 0.31577810724992394
        mass = 63.551788213765
        position = [4.800000000000001, 0.0, 3.315778107249924]
        [ground]
        friction = 0.1400463393810467
        [[wall]]
        normal = [0.0, 0.0, 1.0]
        offset = 3.0
        [[rod]]
        bodies = ["body-0", "body-1"]
        points = [[0.04541619274961033, -0.11319839594250379, -0.036116819216946254], [-0.00613615947548422, 0.030617341609474238, -0.020269612109567486]]
        length = 1.7682088687496589
        [[spring]]
        bodies = ["body-1", "body-2"]
        points = [[0.05144039704857935, -0.001720199830522381, 0.05206499002738371], [0.07947780586161787, -0.015685883733736614, -0.08630979227106389]]
        stiffness = 121.5934375087795
        length = 2.253587753695085
        "#,
    ),
    (
        "a point at rest just over the ground, without gravity, was pushed under it: only speed and gravity said how \
         near a contact has to be to take part in a step",
        r#"
        duration = 0.008
        step = 0.002
        gravity = 0.0
        [particle]
        mass = 0.7358615233891896
        position = [0.0, 0.0]
        velocity = [0.0, 0.0]
        [ground]
        friction = 0.9
        [[push]]
        force = [1.2833664427835985, -4.935901036289623]
        frequency = 85.14779692276919
        phase = 5.894741557665275
        "#,
    ),
    (
        "exact lost the impulse of a body that lands in its first step",
        r#"
        duration = 0.02
        step = 1e-3
        [[body]]
        shape = "box"
        size = [0.4, 0.2]
        mass = 2.0
        position = [0.0, 0.1]
        velocity = [0.5, -1.0]
        [ground]
        friction = 0.3
        "#,
    ),
    (
        "convex of bodies said solved with an infinite residual, where nothing moves to be relative to",
        r#"
        duration = 0.02
        step = 1e-3
        gravity = 0.0
        [[body]]
        shape = "disc"
        size = 0.1
        mass = 2.0
        position = [0.0, 0.0999]
        [ground]
        friction = 0.3
        "#,
    ),
    (
        "convex of bodies that fall side by side had an infinite residual",
        r#"
        duration = 0.02
        step = 1e-3
        [[body]]
        shape = "disc"
        size = 0.1
        mass = 2.0
        position = [0.0, 1.0]
        [[body]]
        shape = "disc"
        size = 0.1
        mass = 3.0
        position = [0.2, 1.0]
        [ground]
        friction = 0.3
        "#,
    ),
    (
        "convex was content with a light body's motion once its error was small beside the momentum of a heavy one in \
         free flight",
        r#"
        duration = 0.006
        step = 0.002
        [[body]]
        shape = "polyhedron"
        size = [[0.13382203201466603, 0.13382203201466603, 0.13382203201466603], [0.13382203201466603, -0.13382203201466603, -0.13382203201466603], [-0.13382203201466603, 0.13382203201466603, -0.13382203201466603], [-0.13382203201466603, -0.13382203201466603, 0.13382203201466603]]
        mass = 74.57112763915283
        position = [0.0, 0.0, 0.30000000000000004]
        velocity = [1.0, 0.0, 0.8]
        orientation = [0.9812989129722249, -0.0986852696714397, 0.06702956013656895, 0.15106521445158413]
        [[body]]
        shape = "box"
        size = [0.3515549366195845, 0.17577746830979224, 0.17577746830979224]
        mass = 0.2240862735563422
        position = [2.0, 0.0, 0.08788873415489612]
        velocity = [0.01, -0.03, 0.0]
        [ground]
        friction = 0.30000000000000004
        [stepper.convex]
        gated = false
        "#,
    ),
    (
        "lcp ended in a ray, with a candidate that fulfils Coulomb's law to rounding",
        r#"
        duration = 0.0011
        step = 1e-4
        [[body]]
        shape = "rod"
        size = 1.1111136768463374
        mass = 0.6948927224435815
        position = [-0.021335339309480086, 0.0]
        [[body]]
        shape = "box"
        size = [0.8597812389102624, 0.4298906194551312]
        mass = 0.10803551210870967
        position = [-0.035466192130286116, 0.2149453097275656]
        [[body]]
        shape = "rod"
        size = 0.5393295289417791
        mass = 8.687462664573657
        position = [0.04388295816135211, 0.4298906194551312]
        [ground]
        friction = 0.417006679861321
        "#,
    ),
    (
        "lcp ended in a ray among slabs of unlike mass under much friction, where nlp and cone find the solution",
        r#"
        duration = 0.22
        step = 0.01
        [[body]]
        shape = "rod"
        size = 0.9727651028113236
        mass = 75.85440719766002
        position = [0.023336468163522042, 0.12366547921438971]
        velocity = [0.02643202712695232, -0.03550918377381149]
        [[body]]
        shape = "rod"
        size = 0.9771242042836628
        mass = 0.6720912011309417
        position = [-0.04420851985891122, 0.24504368821351852]
        velocity = [0.017098672569497854, -0.021370263368584205]
        [[body]]
        shape = "box"
        size = [0.5174611529664723, 0.25873057648323616]
        mass = 1.0245373424991984
        position = [-0.0012265303915419482, 0.3744089764551366]
        velocity = [-0.01, -0.0117363099644552]
        [[body]]
        shape = "box"
        size = [1.1364267776746777, 0.5682133888373389]
        mass = 55.7696009540446
        position = [0.044677537402504894, 0.7878809591154241]
        velocity = [0.0031962827254075734, 0.011219766279997035]
        [ground]
        friction = 1.5
        [[push]]
        body = "body-1"
        force = [3.5878475621664743, 4.0280054268126095]
        "#,
    ),
    (
        "a push that begins within a step made energy of exact in that step",
        r#"
        duration = 0.04
        step = 2e-3
        [particle]
        mass = 1.0
        position = [0.0, 0.0, 0.0]
        velocity = [0.0, 0.0, 0.0]
        [ground]
        friction = 0.1
        [[push]]
        force = [386.1201208228614, -405.6219409889197, 118.83289456121587]
        from = 0.003047695350715114
        "#,
    ),
    (
        "beside a spring the operator of the contacts is a difference of what is far larger, and what lcp made of it in the plane was \
         given up where other models go on",
        r#"
        duration = 0.006
        step = 0.002
        gravity = 0.0
        [[body]]
        name = "body-0"
        shape = "point"
        mass = 1.0
        position = [0.0, 2.0]
        velocity = [0.0, 0.0]
        fixed = true
        [[body]]
        name = "body-1"
        shape = "disc"
        size = 0.2780549626575334
        mass = 0.15276963674178312
        position = [2.0, 0.0]
        velocity = [0.0, 0.0]
        angle = 0.0
        spin = 0.0
        [[body]]
        name = "body-2"
        shape = "disc"
        size = 0.2977063410468127
        mass = 36.574986950354635
        position = [3.2, 0.3477063410468127]
        velocity = [0.00854158576903189, -0.03728714770609544]
        angle = 0.0
        spin = 0.0
        [ground]
        friction = 1.0
        restitution = 0.0
        slope = 0.0
        [[rod]]
        bodies = ["body-1", "body-2"]
        [[spring]]
        bodies = ["body-0", "body-1"]
        stiffness = 6000.0
        damping = 0.0
        length = 0.0
        "#,
    ),
    (
        "the same, of a disc that a stiff spring at its rim pulls into the ground",
        r#"
        duration = 0.002
        step = 0.001
        gravity = 9.81
        [[body]]
        name = "body-0"
        shape = "point"
        mass = 1.0
        position = [0.0, 0.0]
        velocity = [0.0, 0.0]
        fixed = true
        [[body]]
        name = "body-1"
        shape = "disc"
        size = 0.1568791682856532
        mass = 5.980151492845968
        position = [2.0, 0.0]
        velocity = [0.0, 0.9467388125499414]
        angle = 0.0
        spin = 0.0
        [[body]]
        name = "body-2"
        shape = "point"
        mass = 99.68352585460909
        position = [3.2, 0.05]
        velocity = [0.049265996130969825, 1.6539120253157344]
        [ground]
        friction = 0.1
        restitution = 0.0
        slope = 0.0
        [[rod]]
        bodies = ["body-1", "body-2"]
        [[spring]]
        bodies = ["body-0", "body-1"]
        points = [[-0.0, -0.0], [-0.04214597278451995, -0.06129497667320578]]
        stiffness = 4e6
        damping = 0.0
        length = 0.0
        "#,
    ),
];

#[test]
fn worlds_that_showed_a_fault_show_none_any_more() {
    for (fault, world) in MENDED {
        let faults = look_again(&format!("name = \"mended\"\n{world}"));
        assert!(faults.is_empty(), "{fault}: {faults:?}");
    }
}

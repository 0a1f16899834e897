//! Contacts by the way of the step: what touches is hit, and what does not is left alone.

mod blind;
mod capsules;
mod certificate;
mod cylinders;
mod heaps;
mod impacts;
mod near_misses;
mod parts;
mod redundant_joints;
mod rooms;
mod scenes;
mod seams;
mod spinning;
mod thin;
mod unchanged;

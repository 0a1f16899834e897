//! What pictures promise: files that any viewer reads, labels that do not collide, peaks that
//! survive, and no data that breaks them.

mod animation;
mod bodies;
mod complete;
mod data;
mod excursions;
mod files;
mod impacts;
mod layout;
mod learning;
mod maps;
mod print;
mod scenes;
mod strokes;
mod styles;

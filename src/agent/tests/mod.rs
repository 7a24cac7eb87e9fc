//! The loop, with a scripted model and a scripted toolbox.

mod answers;
mod asking;
mod halting;
mod limits;
mod scripted;
mod tools;

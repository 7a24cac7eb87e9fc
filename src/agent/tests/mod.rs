//! The loop, with a scripted model and a scripted toolbox.

mod answers;
mod halting;
mod scripted;
mod tools;

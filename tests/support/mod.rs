//! What several integration tests share.
#![allow(dead_code, reason = "each test binary uses only a part of it")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "test support may stop the test")]

pub mod ask;
pub mod desk;
pub mod fake_model;
pub mod mcp;
pub mod pdf;
pub mod reply;
pub mod shelf;

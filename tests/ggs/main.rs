//! Playing on GGS: whole matches against the test server, its faults, and the real thing over loopback.

#[path = "../ggs_server/mod.rs"]
mod ggs_server;

mod endings;
mod endurance;
mod faults;
mod network;
mod play;
mod program;
mod safety;

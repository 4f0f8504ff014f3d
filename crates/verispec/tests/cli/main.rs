//! What a user does with the program, from outside.

mod batch;
mod canary;
mod cases;
mod custom;
mod demo;
mod dsg;
mod faults;
mod fetch;
mod golden;
mod hygiene;
mod import;
mod inspect;
mod judge;
mod kill;
mod money;
mod opinions;
mod providers;
mod published;
mod real_server;
mod report;
mod rules;
mod safety;
mod shards;
mod studies;
mod support;
mod trial;

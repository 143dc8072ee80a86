//! The API as clients use it: GraphQL against a service, in one process.

mod hall;
mod house;

mod analysis;
mod assumed;
mod clients;
mod feeds;
mod following;
mod issuing;
mod keys;
mod knock_outs;
mod lines;
mod losses;
mod memory;
mod mutations;
mod oracles;
mod paging;
mod people;
mod queries;
mod races;
mod ratings;
mod recording;
mod records;
mod refusals;
mod retries;
mod roles;
mod schema;
mod secrets;
mod set_up;
mod shapes;
mod swiss;
mod tokens;
mod tournament_files;
mod tournament_roles;
mod tournaments;
mod trees;

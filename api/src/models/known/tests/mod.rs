mod found;
mod saved;

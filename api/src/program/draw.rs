//! `draw`: a position as an SVG file.

use clap::Args;
use plybook_rules::Viewer;
use plybook_viewer::draw::svg;

use super::Failure;
use super::rules::{Start, check_viewer};

/// Draw a position as SVG on standard output.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook draw triangulate --actions 'b1-b2 d1-d2+f6' > position.svg")]
pub(crate) struct Draw {
    #[command(flatten)]
    start: Start,
    /// The viewer: a seat's number, `public` or `all`
    #[arg(long, value_name = "SEAT|public|all", default_value = "all")]
    viewer: Viewer,
    /// The width of the picture in pixels
    #[arg(long, default_value_t = 640, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
}

impl Draw {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let played = self.start.played()?;
        check_viewer(self.viewer, played.position.as_ref())?;
        let last = played.last.as_ref().map(|last| (last.before.as_ref(), last.actor, last.action.as_str()));
        let scene = played.position.scene(self.viewer, last);
        super::print(svg(&scene, self.width, &played.position.text(self.viewer)).as_bytes())
    }
}

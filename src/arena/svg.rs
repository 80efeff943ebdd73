//! A rating table as a picture: one line an engine, a dot at its rating, a bar for the 95 % interval.

use super::rating::Table;
use std::fmt::Write as _;

const ROW: f64 = 28.0;
const TOP: f64 = 20.0;
const NAMES: f64 = 220.0;
const WIDTH: f64 = 860.0;
const RIGHT: f64 = 90.0;

/// SVG 1.1, readable without any font or script of its own.
pub fn plot(table: &Table) -> String {
    let low = table
        .ratings
        .iter()
        .map(|r| r.rating - r.margin)
        .fold(f64::INFINITY, f64::min);
    let high = table
        .ratings
        .iter()
        .map(|r| r.rating + r.margin)
        .fold(f64::NEG_INFINITY, f64::max);
    let step = step(high - low);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |rating: f64| NAMES + (rating - low) / (high - low).max(step) * (WIDTH - NAMES - RIGHT);
    let bottom = TOP + ROW * table.ratings.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        bottom + 30.0
    );
    let lines = ((high - low) / step).round() as i64;
    for i in 0..=lines {
        let (at, rating) = (x(low + i as f64 * step), low + i as f64 * step);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{rating:.0}</text>",
            bottom + 18.0
        );
    }
    for (i, r) in table.ratings.iter().enumerate() {
        let y = TOP + ROW * (i as f64 + 0.5);
        let (left, dot, right) = (x(r.rating - r.margin), x(r.rating), x(r.rating + r.margin));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{left:.1}\" y1=\"{y}\" x2=\"{right:.1}\" y2=\"{y}\" stroke=\"#27c\" stroke-width=\"3\"/>\
             <circle cx=\"{dot:.1}\" cy=\"{y}\" r=\"5\" fill=\"#14a\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"#333\">{:.0} ± {:.0}</text>",
            NAMES - 10.0,
            y + 4.5,
            escaped(&r.name),
            WIDTH - RIGHT + 6.0,
            y + 4.5,
            r.rating,
            r.margin
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// A distance of 1, 2 or 5 times a power of ten that divides the range into four to ten parts.
fn step(range: f64) -> f64 {
    let rough = (range / 5.0).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * power >= rough)
        .unwrap_or(10.0);
    factor * power
}

/// At most 28 characters, those that mean something in XML written out.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars().take(28) {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::rating::Rating;
    use super::*;

    #[test]
    fn draws_every_engine() {
        let rating = |name: &str, rating, margin| Rating {
            name: name.into(),
            rating,
            margin,
            games: 10,
            score: 0.5,
            opponents: 0.0,
            above_next: None,
        };
        let ratings = vec![rating("a<b>&\"c\"", 120.0, 30.0), rating("zero", -120.0, 0.0)];
        let svg = plot(&Table {
            anchor: None,
            ratings,
            warnings: Vec::new(),
        });
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(
            svg.contains("a&lt;b&gt;&amp;&quot;c&quot;")
                && svg.contains("120 ± 30")
                && svg.contains("-120 ± 0")
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let alone = plot(&Table {
            anchor: None,
            ratings: vec![rating("x", 0.0, 0.0)],
            warnings: Vec::new(),
        });
        assert!(!alone.contains("NaN"));
        assert_eq!(
            [step(0.0), step(100.0), step(260.0), step(1200.0)],
            [1.0, 20.0, 100.0, 500.0]
        );
    }
}

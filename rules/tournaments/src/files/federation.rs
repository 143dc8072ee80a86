//! The federations of countries, as report files name them.

/// The FIDE code of the federation of a country, given by its ISO 3166 code of two letters; `None` where there is no
/// federation, or, as for `GB`, several.
///
/// # Source
/// FIDE's directory of member federations (<https://directory.fide.com>).
pub(super) fn federation(country: &str) -> Option<&'static str> {
    FEDERATIONS.binary_search_by_key(&country, |(code, _)| code).ok().map(|index| FEDERATIONS[index].1)
}

/// The country whose federation has this code; `None` if it is no country's alone.
pub fn country(federation: &str) -> Option<&'static str> {
    FEDERATIONS.iter().find(|(_, code)| *code == federation).map(|(country, _)| *country)
}

#[rustfmt::skip]
const FEDERATIONS: &[(&str, &str)] = &[
    ("AD", "AND"), ("AE", "UAE"), ("AF", "AFG"), ("AG", "ANT"), ("AL", "ALB"), ("AM", "ARM"), ("AO", "ANG"),
    ("AR", "ARG"), ("AT", "AUT"), ("AU", "AUS"), ("AW", "ARU"), ("AZ", "AZE"), ("BA", "BIH"), ("BB", "BAR"),
    ("BD", "BAN"), ("BE", "BEL"), ("BF", "BUR"), ("BG", "BUL"), ("BH", "BRN"), ("BI", "BDI"), ("BM", "BER"),
    ("BN", "BRU"), ("BO", "BOL"), ("BR", "BRA"), ("BS", "BAH"), ("BT", "BHU"), ("BW", "BOT"), ("BY", "BLR"),
    ("BZ", "BIZ"), ("CA", "CAN"), ("CD", "COD"), ("CF", "CAF"), ("CG", "CGO"), ("CH", "SUI"), ("CI", "CIV"),
    ("CL", "CHI"), ("CM", "CMR"), ("CN", "CHN"), ("CO", "COL"), ("CR", "CRC"), ("CU", "CUB"), ("CV", "CPV"),
    ("CY", "CYP"), ("CZ", "CZE"), ("DE", "GER"), ("DJ", "DJI"), ("DK", "DEN"), ("DM", "DMA"), ("DO", "DOM"),
    ("DZ", "ALG"), ("EC", "ECU"), ("EE", "EST"), ("EG", "EGY"), ("ER", "ERI"), ("ES", "ESP"), ("ET", "ETH"),
    ("FI", "FIN"), ("FJ", "FIJ"), ("FO", "FAI"), ("FR", "FRA"), ("GA", "GAB"), ("GD", "GRN"), ("GE", "GEO"),
    ("GG", "GCI"), ("GH", "GHA"), ("GM", "GAM"), ("GN", "GUI"), ("GQ", "GEQ"), ("GR", "GRE"), ("GT", "GUA"),
    ("GU", "GUM"), ("GW", "GBS"), ("GY", "GUY"), ("HK", "HKG"), ("HN", "HON"), ("HR", "CRO"), ("HT", "HAI"),
    ("HU", "HUN"), ("ID", "INA"), ("IE", "IRL"), ("IL", "ISR"), ("IM", "IOM"), ("IN", "IND"), ("IQ", "IRQ"),
    ("IR", "IRI"), ("IS", "ISL"), ("IT", "ITA"), ("JE", "JCI"), ("JM", "JAM"), ("JO", "JOR"), ("JP", "JPN"),
    ("KE", "KEN"), ("KG", "KGZ"), ("KH", "CAM"), ("KM", "COM"), ("KN", "SKN"), ("KR", "KOR"), ("KW", "KUW"),
    ("KY", "CAY"), ("KZ", "KAZ"), ("LA", "LAO"), ("LB", "LBN"), ("LC", "LCA"), ("LI", "LIE"), ("LK", "SRI"),
    ("LR", "LBR"), ("LS", "LES"), ("LT", "LTU"), ("LU", "LUX"), ("LV", "LAT"), ("LY", "LBA"), ("MA", "MAR"),
    ("MC", "MNC"), ("MD", "MDA"), ("ME", "MNE"), ("MG", "MAD"), ("MK", "MKD"), ("ML", "MLI"), ("MM", "MYA"),
    ("MN", "MGL"), ("MO", "MAC"), ("MR", "MTN"), ("MT", "MLT"), ("MU", "MRI"), ("MV", "MDV"), ("MW", "MAW"),
    ("MX", "MEX"), ("MY", "MAS"), ("MZ", "MOZ"), ("NA", "NAM"), ("NE", "NIG"), ("NG", "NGR"), ("NI", "NCA"),
    ("NL", "NED"), ("NO", "NOR"), ("NP", "NEP"), ("NR", "NRU"), ("NZ", "NZL"), ("OM", "OMA"), ("PA", "PAN"),
    ("PE", "PER"), ("PG", "PNG"), ("PH", "PHI"), ("PK", "PAK"), ("PL", "POL"), ("PR", "PUR"), ("PS", "PLE"),
    ("PT", "POR"), ("PW", "PLW"), ("PY", "PAR"), ("QA", "QAT"), ("RO", "ROU"), ("RS", "SRB"), ("RU", "RUS"),
    ("RW", "RWA"), ("SA", "KSA"), ("SB", "SOL"), ("SC", "SEY"), ("SD", "SUD"), ("SE", "SWE"), ("SG", "SGP"),
    ("SI", "SLO"), ("SK", "SVK"), ("SL", "SLE"), ("SM", "SMR"), ("SN", "SEN"), ("SO", "SOM"), ("SR", "SUR"),
    ("SS", "SSD"), ("ST", "STP"), ("SV", "ESA"), ("SY", "SYR"), ("SZ", "SWZ"), ("TD", "CHA"), ("TG", "TOG"),
    ("TH", "THA"), ("TJ", "TJK"), ("TL", "TLS"), ("TM", "TKM"), ("TN", "TUN"), ("TO", "TGA"), ("TR", "TUR"),
    ("TT", "TTO"), ("TW", "TPE"), ("TZ", "TAN"), ("UA", "UKR"), ("UG", "UGA"), ("US", "USA"), ("UY", "URU"),
    ("UZ", "UZB"), ("VC", "VIN"), ("VE", "VEN"), ("VG", "IVB"), ("VI", "ISV"), ("VN", "VIE"), ("VU", "VAN"),
    ("XK", "KOS"), ("YE", "YEM"), ("ZA", "RSA"), ("ZM", "ZAM"), ("ZW", "ZIM"),
];

#[cfg(test)]
mod tests {
    use super::{FEDERATIONS, country, federation};

    #[test]
    fn each_country_is_found() {
        assert!(FEDERATIONS.is_sorted_by(|one, other| one.0 < other.0));
        for (country, code) in FEDERATIONS {
            assert_eq!(federation(country), Some(*code));
            assert_eq!(super::country(code), Some(*country));
            assert!(country.len() == 2 && code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()));
        }
        assert_eq!((federation("GB"), federation(""), federation("CH")), (None, None, Some("SUI")));
        assert_eq!(country("ENG"), None);
    }
}

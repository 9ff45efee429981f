//! Cases from the field, part 5: which servers are asked directly. The number is the case's.

use std::net::Ipv4Addr;

use httpx_client::{ClientBuilder, NoProxy, Proxy};
use proptest::prelude::*;

use crate::support::is_proxied;

/// One list, and how URLs are asked under it.
struct Row {
    list: &'static str,
    direct: &'static [&'static str],
    proxied: &'static [&'static str],
}

fn check(rows: &[Row]) {
    for Row { list, direct, proxied } in rows {
        let proxy = Proxy::new("http://proxy.test:3128").unwrap();
        let client = ClientBuilder::new().proxy(proxy).no_proxy(*list).build().unwrap();
        for (urls, expected) in [(direct, false), (proxied, true)] {
            for url in *urls {
                assert_eq!(is_proxied(&client, url), expected, "{list:?}: {url}");
            }
        }
    }
}

#[test]
fn c57_an_asterisk_means_addresses_too_and_also_within_a_list() {
    check(&[
        Row {
            list: "*",
            direct: &["http://127.0.0.1:8080/", "http://[2001:db8::1]/", "http://192.0.2.7/", "https://example.com/"],
            proxied: &[],
        },
        Row { list: "other.test,*", direct: &["http://example.com/", "http://192.0.2.7/"], proxied: &[] },
        Row { list: " * ", direct: &["http://example.com/"], proxied: &[] },
        Row { list: "*:8443", direct: &["https://example.com:8443/"], proxied: &["https://example.com/"] },
        Row {
            list: "*.example.com",
            direct: &["http://api.example.com/"],
            proxied: &["http://example.com/", "http://other.test/"],
        },
        Row { list: "", direct: &[], proxied: &["http://example.com/"] },
    ]);
}

#[test]
fn c59_a_network_means_addresses_in_urls_and_no_name_is_looked_up() {
    check(&[
        Row {
            list: "10.0.0.0/8",
            direct: &["http://10.10.20.1/", "http://10.1/", "http://[::ffff:10.0.0.9]/"],
            proxied: &["http://11.0.0.1/", "http://ten.test/", "http://10.example/", "http://[::a00:1]/"],
        },
        Row { list: "10.0.0.0/33, 192.0.2.0/24", direct: &["http://192.0.2.255/"], proxied: &["http://10.0.0.1/"] },
        Row {
            list: "127.0.0.0/8",
            // Direct by the rule for this machine, not by the list.
            direct: &["http://localhost/", "http://127.1.2.3/"],
            proxied: &["http://128.0.0.1/"],
        },
        Row { list: "10.1.2.3/16", direct: &["http://10.1.255.255/"], proxied: &["http://10.2.0.0/"] },
        Row {
            list: "2001:db8::/32",
            direct: &["http://[2001:db8:ffff::1]:8080/"],
            proxied: &["http://[2001:db9::1]/", "http://32.1.13.184/"],
        },
        Row { list: "0.0.0.0/0", direct: &["http://198.51.100.1/"], proxied: &["http://[2001:db8::1]/"] },
        Row {
            list: "::/0",
            direct: &["http://[2001:db8::1]/", "http://[::ffff:198.51.100.1]/"],
            proxied: &["http://198.51.100.1/"],
        },
        // An address of IPv4 in IPv6's clothes is the same address, and so is a network of them.
        Row {
            list: "::ffff:10.0.0.0/104",
            direct: &["http://10.1.2.3/", "http://[::ffff:10.1.2.3]/", "http://[::ffff:a01:203]/"],
            proxied: &["http://11.0.0.1/", "http://[::a01:203]/", "http://[2001:db8::1]/"],
        },
        Row { list: "::ffff:0:0/96", direct: &["http://198.51.100.1/"], proxied: &["http://[2001:db8::1]/"] },
        Row { list: "::ffff:192.0.2.7/128", direct: &["http://192.0.2.7/"], proxied: &["http://192.0.2.6/"] },
        Row {
            list: "::ffff:0:0/95",
            direct: &["http://[::ffff:192.0.2.7]/", "http://[::fffe:c000:207]/"],
            proxied: &["http://192.0.2.7/"],
        },
    ]);
}

#[test]
fn c61_an_entry_without_a_port_means_any_and_one_with_a_port_that_one() {
    check(&[
        Row { list: "10.10.10.10", direct: &["http://10.10.10.10:8001/", "http://10.10.10.10/"], proxied: &[] },
        Row {
            list: "example.com:8080",
            direct: &["http://example.com:8080/", "http://api.example.com:8080/"],
            proxied: &["http://example.com/", "https://example.com/"],
        },
        Row {
            list: "example.com:443",
            direct: &["https://example.com/", "http://example.com:443/"],
            proxied: &["http://example.com/"],
        },
        Row { list: "example.com:80", direct: &["http://example.com/"], proxied: &["https://example.com/"] },
        Row {
            list: ".example.com:8080",
            direct: &["http://a.example.com:8080/"],
            proxied: &["http://example.com:8080/"],
        },
        Row { list: "10.10.10.10:81", direct: &["http://10.10.10.10:81/"], proxied: &["http://10.10.10.10/"] },
        Row { list: "[2001:db8::1]", direct: &["http://[2001:db8::1]:81/"], proxied: &["http://[2001:db8::2]/"] },
        Row { list: "[2001:db8::1]:81", direct: &["http://[2001:db8::1]:81/"], proxied: &["http://[2001:db8::1]/"] },
        // Without brackets the last group is no port.
        Row { list: "2001:db8::81", direct: &["http://[2001:db8::81]/"], proxied: &["http://[2001:db8::]:81/"] },
        Row {
            list: "example.com:, example.com:+80, example.com:http, example.com:99999, :80",
            direct: &[],
            proxied: &["http://example.com/"],
        },
    ]);
}

#[test]
fn c65_this_machine_is_asked_directly_and_what_only_looks_like_it_is_not() {
    check(&[Row {
        list: "",
        direct: &[
            "http://localhost/",
            "http://LOCALHOST.:8080/",
            "http://app.localhost/",
            "http://127.0.0.1/",
            "http://127.9.9.9/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "https://localhost:8443/",
        ],
        proxied: &[
            "http://127.evil.example/",
            "http://localhost.evil.example/",
            "http://notlocalhost/",
            "http://127.0.0.1.example/",
            "http://128.0.0.1/",
            "http://[::2]/",
            "http://0.0.0.0/",
        ],
    }]);
}

#[test]
fn a_name_means_itself_and_what_is_below_it_and_after_a_dot_only_what_is_below() {
    check(&[
        Row {
            list: "example.com",
            direct: &["http://example.com/", "http://a.b.example.com/", "http://EXAMPLE.com./"],
            proxied: &["http://notexample.com/", "http://example.com.evil.test/", "http://com/"],
        },
        Row {
            list: ".example.com",
            direct: &["http://a.example.com/"],
            proxied: &["http://example.com/", "http://aexample.com/"],
        },
        Row { list: "Example.COM.", direct: &["http://example.com/", "http://a.example.com/"], proxied: &[] },
        Row {
            list: "bücher.example",
            direct: &["http://bücher.example/", "http://xn--bcher-kva.example/"],
            proxied: &[],
        },
        Row { list: "intranet", direct: &["http://intranet/"], proxied: &["http://intranet.example/"] },
    ]);
}

#[test]
fn entries_are_parted_by_commas_and_spaces_and_bad_ones_leave_the_rest_alone() {
    check(&[
        Row {
            list: " a.test ,\tb.test  c.test,,",
            direct: &["http://a.test/", "http://b.test/", "http://c.test/"],
            proxied: &["http://d.test/"],
        },
        Row {
            list: "http://x.test, .., ., *., x.test/y, [::1, ::1], [1.2.3.4], a..b, %zz, 10.0.0.0/-1, 1.2.3, good.test",
            direct: &["http://good.test/"],
            proxied: &["http://x.test/", "http://1.2.3.4/", "http://1.2.0.3/", "http://a..b/"],
        },
    ]);
}

proptest! {
    #[test]
    fn no_list_panics_and_no_bad_entry_disables_a_good_one(before in ".{0,40}", after in ".{0,40}", url in "[a-z0-9.:%-]{1,20}") {
        let list = NoProxy::new(format!("{before},good.test,{after}"));
        prop_assert!(list.covers(&"http://good.test/".parse().unwrap()));
        prop_assert!(list.covers(&"https://a.good.test:8443/".parse().unwrap()));
        if let Ok(url) = format!("http://{url}/").parse() {
            let _ = list.covers(&url);
        }
    }

    #[test]
    fn a_network_of_ipv4_means_the_same_in_both_forms(network: [u8; 4], prefix in 0_u8..=32, flipped in 0_u32..32, other: u32) {
        let network = Ipv4Addr::from(network);
        let lists = [format!("{network}/{prefix}"), format!("::ffff:{network}/{}", 96 + prefix)].map(NoProxy::new);
        let near = Ipv4Addr::from_bits(network.to_bits() ^ (1 << flipped));
        for (address, inside) in [(network, Some(true)), (near, Some(flipped < 32 - u32::from(prefix))), (other.into(), None)] {
            let urls = [format!("http://{address}/"), format!("http://[{}]/", address.to_ipv6_mapped())];
            let covered = urls.map(|url| lists.each_ref().map(|list| list.covers(&url.parse().unwrap())));
            prop_assert!(covered == [[true; 2]; 2] || covered == [[false; 2]; 2], "{lists:?} {address} {covered:?}");
            prop_assert!(inside.is_none_or(|inside| inside == covered[0][0]), "{lists:?} {address}");
        }
    }

    #[test]
    fn entries_that_are_almost_right_do_not_panic(entries in proptest::collection::vec("[*.:/\\[\\]a-f0-9]{0,12}", 0..8)) {
        let list = NoProxy::new(format!("{},192.0.2.0/24", entries.join(",")));
        prop_assert!(list.covers(&"http://192.0.2.9/".parse().unwrap()));
        let _ = list.covers(&"http://[2001:db8::1]:8080/".parse().unwrap());
    }
}

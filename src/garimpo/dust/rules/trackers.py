"""Rules nobody has to learn: parameters that trackers add on any host. Off unless asked for."""

from garimpo.dust.rules.reach import ANYWHERE
from garimpo.dust.rules.ruleset import Rule, RuleSet

TRACKING = (
    "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "utm_name", "utm_reader", "utm_social",
    "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "li_fat_id",
    "mc_cid", "mc_eid", "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsCtaTracking", "mkt_tok", "vero_id", "oly_enc_id",
    "oly_anon_id", "_openstat", "ICID", "wickedid", "s_cid", "rb_clickid", "ml_subscriber", "ml_subscriber_hash", "_ga", "_gl",
)  # fmt: skip


def tracking_rules() -> RuleSet:
    """The well-known tracking parameters as rules for every host.

    >>> tracking_rules().key("http://a.org/x?utm_source=mail&id=1")
    'dust:http://a.org/x?id=1'
    """
    return RuleSet(Rule.make("parameter", [ANYWHERE], f"?{name}=*", "") for name in TRACKING)

"""Known risks of a token, from Rugcheck."""

from common.outside.faults import SourceFault
from entities.markets.found import Found
from entities.markets.rugcheck import Report, Rugcheck
from entities.markets.values import plain

SCALE = "scoreNormalised runs from 0 to 100; higher is riskier. score is a raw sum of risks."


def rug_check(mint: str, rugcheck: Rugcheck) -> Found:
    """``{score, scoreNormalised, risks, topHolders, freezeAuthority, mintAuthority, lpLockedPercent, lpBurned, ...}``.

    When the full report is not to be had, the summary is told: it knows nothing of authorities and holders, which are
    then unknown. How much of a pool's tokens was burned the source does not say at all.

    Raises:
        SourceFault: neither is to be had.
    """
    failed: dict[str, SourceFault] = {}
    try:
        report = rugcheck.report(mint)
    except SourceFault as fault:
        if fault.code not in ("server_error", "timeout", "unreadable"):
            raise
        report = rugcheck.summary(mint)
        failed["rugcheck"] = fault
    return Found({"mint": mint, **_data(report)}, ("rugcheck",), failed)


def _data(report: Report) -> dict[str, object]:
    return {
        "score": plain(report.score),
        "scoreNormalised": plain(report.score_normalised),
        "scale": SCALE,
        "risks": report.risks,
        "mintAuthority": report.mint_authority.as_json(),
        "freezeAuthority": report.freeze_authority.as_json(),
        "lpLockedPercent": plain(report.lp_locked),
        "lpBurned": "unknown",
        "topHolders": report.top_holders if report.full else None,
        "totalHolders": report.holders,
        "totalLiquidity": plain(report.liquidity),
        "insiderNetworks": report.insider_networks,
    }

using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The answers to requests that the ledger refuses.</summary>
internal static class LedgerRefusals
{
    private static readonly CoapResponse TooManyRequests = new(ResponseCode.TooManyRequests) { Options = [new MaxAge(1)] };

    /// <summary>Returns whether the account of a request holds its share of requests, and the answer to the request.</summary>
    public static bool TryRefuse(this ExchangeLane lane, IncomingRequest request, [NotNullWhen(true)] out CoapResponse? refusal)
    {
        refusal = !lane.Ledger.Requests.IsAmple && lane.Ledger.Requests.Check(request.Account) is not Charge.Accepted and var charge
            ? lane.Refuse(request, charge)
            : null;
        return refusal is not null;
    }

    /// <summary>Returns the answer to a request whose account was not charged.</summary>
    /// <remarks>
    /// A peer with a verified address has an account of its own, so the answer to an unverified address is a challenge. A request of the endpoint to
    /// itself is repeated later.
    /// </remarks>
    public static CoapResponse Refuse(this ExchangeLane lane, IncomingRequest request, Charge charge) => charge switch
    {
        _ when charge == Charge.Full || request.Taker is not null => Response.Overloaded,
        _ when request.Account.IsUnverified => lane.Addresses!.Challenge(request.Peer),
        _ => TooManyRequests,
    };
}

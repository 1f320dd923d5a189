using CoAP.Accounting;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The answers to requests that the ledger refuses.</summary>
internal static class LedgerRefusals
{
    private static readonly CoapResponse TooManyRequests = new(ResponseCode.TooManyRequests) { Options = [new MaxAge(1)] };

    /// <summary>Returns the answer to a request whose account was not charged.</summary>
    /// <remarks>A peer with a verified address has an account of its own, so the answer to an unverified address is a challenge.</remarks>
    public static CoapResponse Refuse(this ExchangeLane lane, IncomingRequest request, Charge charge) => charge switch
    {
        Charge.Full => Response.Overloaded,
        _ when request.Account.IsUnverified => lane.Addresses!.Challenge(request.Peer),
        _ => TooManyRequests,
    };
}

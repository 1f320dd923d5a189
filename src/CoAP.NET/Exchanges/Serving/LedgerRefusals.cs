using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;

namespace CoAP.Exchanges;

/// <summary>The charges for received requests, and the answers to those that the ledger refuses.</summary>
internal static class LedgerRefusals
{
    private static readonly CoapResponse TooManyRequests = Response.TooManyRequests(TimeSpan.FromSeconds(1));

    /// <summary>
    /// Returns <see langword="true"/> and a refusal if the account of a request would exceed its share of requests or of bytes. Otherwise, charges the bytes
    /// of the request until it ends.
    /// </summary>
    public static bool TryRefuse(this ExchangeLane lane, IncomingRequest request, [NotNullWhen(true)] out CoapResponse? refusal)
    {
        if (lane.TryRefuse(request, lane.Ledger.Requests, out refusal) || lane.BytesOf(request) is not (> 0 and var bytes)) { return refusal is not null; }
        var account = request.Account;
        var charge = lane.BodyBudget!.TryCharge(account, bytes);
        if (charge == Charge.Accepted) { request.BodyCharge = new BodyCharge(lane.Ledger.Bodies, account, bytes); }
        else { refusal = lane.Refuse(request, charge); }
        return refusal is not null;
    }

    /// <summary>Returns <see langword="true"/> and a refusal if the account of a request would exceed its share of a limit.</summary>
    public static bool TryRefuse(this ExchangeLane lane, IncomingRequest request, LedgerBook book, [NotNullWhen(true)] out CoapResponse? refusal)
    {
        refusal = !book.IsAmple && book.Check(request.Account) is not Charge.Accepted and var charge ? lane.Refuse(request, charge) : null;
        return refusal is not null;
    }

    /// <summary>Returns the answer to a request whose account was not charged.</summary>
    /// <remarks>
    /// An unverified address gets a challenge, because a verified address has an account of its own. A request of the endpoint to
    /// itself is marked, so that the endpoint makes it again later. A stage of the user may replace the response on its way.
    /// </remarks>
    public static CoapResponse Refuse(this ExchangeLane lane, IncomingRequest request, Charge charge)
    {
        if (request.Taker is not null) { request.IsPutOff = true; }
        return charge == Charge.Full || request.IsPutOff ? Response.Overloaded
            : request.Account.IsUnverified ? lane.Addresses!.Challenge(request.Peer)
            : TooManyRequests;
    }

    /// <summary>Charges the bytes of a request without a check, unless they are already charged.</summary>
    /// <returns><see langword="null"/> if the request is small or has ended. The end of the request would not release a later charge.</returns>
    public static BodyCharge? ChargeBytes(this ExchangeLane lane, IncomingRequest request)
    {
        if (request.End is null && lane.BytesOf(request) is > 0 and var bytes)
        {
            var account = request.Account;
            lane.Ledger.Bodies.Take(account, bytes);
            request.BodyCharge = new BodyCharge(lane.Ledger.Bodies, account, bytes);
        }
        return request.BodyCharge;
    }

    // The bytes that are not charged yet; 0 for a small request. A message that is too large for any share counts as the largest share, so it is accepted
    // while nobody else holds much. The bytes of an observer's request are charged to its observation.
    private static long BytesOf(this ExchangeLane lane, IncomingRequest request)
    {
        var bytes = request.Message.Payload.Length + request.Message.Options.Wire.Length;
        return bytes < BodyCharge.Least || request.Taker is not null || request.BodyCharge is not null ? 0 : Math.Min(bytes, lane.Ledger.Bodies.LargestShare);
    }
}

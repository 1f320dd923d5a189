using CoAP.Accounting;

namespace CoAP.Exchanges;

/// <summary>
/// A received request that has left the mesh: a handler, an authorizer or a user's block holds it. The request counts as open. Its account is charged with one
/// request, and with the bytes of a message of <see cref="BodyCharge.Least"/> or more. Its services do not end.
/// </summary>
internal readonly struct HeldRequest
{
    private readonly ExchangeLane _lane;
    private readonly BodyCharge? _bytes;

    public HeldRequest(ExchangeLane lane, IncomingRequest request)
    {
        // The account of the peer changes when the peer proves its address. The charge must be released to the account that was charged.
        (_lane, Request, Account) = (lane, request, request.Account);
        lane.OpenRequests.Add(request);
        lane.Ledger.Requests.Take(Account);
        _bytes = lane.ChargeBytes(request)?.Hold();
        request.HoldServices();
    }

    public IncomingRequest Request { get; }

    /// <summary>The account that is charged.</summary>
    public Account Account { get; }

    /// <summary>Called on the lane when the request returns to the mesh.</summary>
    public void Close() => _lane.OpenRequests.Remove(Request);

    /// <summary>Releases what was charged. Called from any thread when nothing holds the request any more.</summary>
    public void Release()
    {
        _lane.Ledger.Requests.Release(Account);
        _bytes?.Release();
        Request.ReleaseServices();
    }
}

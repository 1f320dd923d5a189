using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Ends observations when a stage answers a request with an error.</summary>
internal static class ObserverListExtensions
{
    private static readonly ulong ObserveBit = OptionNumber.SeenBit(Observe.Declaration.Number);

    /// <summary>Removes the observation that a request asks for or cancels. The error tells the client that it is not an observer (RFC 7641, section 4.1).</summary>
    public static void EndObservation(this IObserverList observers, IncomingRequest request)
    {
        if ((request.Options.Seen & ObserveBit) == 0 || !request.Method.IsSafe || !request.RepliesToPeer) { return; }
        if (request.Options.Get<Block2>() is not { BlockNumber: > 0 }) { observers.Deregister(request); }
    }
}

using CoAP.Serialization;

namespace CoAP.Observing;

/// <summary>Takes observations out of a registry, so that another one can continue them.</summary>
internal static class ObserverMoves
{
    /// <summary>Ends observations of a client without telling it, and returns them.</summary>
    /// <param name="registry">The registry.</param>
    /// <param name="key">The client.</param>
    /// <param name="most">The largest number of observations.</param>
    public static IReadOnlyList<StoredObserver> Take(this ObserverRegistry registry, in ChannelKey key, int most)
    {
        var taken = new List<StoredObserver>();
        foreach (var observation in registry.ObservationsOf(key, most))
        {
            taken.Add(new StoredObserver
            {
                Peer = key.Peer,
                Local = key.Local,
                Token = observation.Token,
                Request = CoapMessageSerializer.Datagram.Serialize(observation.Request.Message),
                SequenceLimit = observation.Representation.Order.Last,
            });
            registry.Remove(observation);
        }
        return taken;
    }
}

using CoAP.Serialization;

namespace CoAP.Observing;

/// <summary>Takes observations out of a registry, so that another one can continue them.</summary>
internal static class ObserverMoves
{
    /// <summary>Ends the observations of a client without telling it, and returns them.</summary>
    public static IReadOnlyList<StoredObserver> Take(this ObserverRegistry registry, in ChannelKey key)
    {
        var taken = new List<StoredObserver>();
        foreach (var observation in registry.ObservationsOf(key))
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

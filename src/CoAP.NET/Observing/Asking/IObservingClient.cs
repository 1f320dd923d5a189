using CoAP.Observing;

namespace CoAP;

/// <summary>Observes resources, also over several connections and restarts (RFC 7641); see <see cref="ObservingExtensions"/>.</summary>
public interface IObservingClient : IRequestSender
{
    internal ClientObservations Observations { get; }
}

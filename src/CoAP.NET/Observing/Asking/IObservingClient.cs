using CoAP.Observing;

namespace CoAP;

/// <summary>A client that observes resources (RFC 7641). Its observations survive the end of a connection. See <see cref="ObservingExtensions"/>.</summary>
public interface IObservingClient : IRequestSender
{
    internal ClientObservations Observations { get; }
}

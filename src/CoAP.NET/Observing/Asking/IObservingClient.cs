namespace CoAP;

/// <summary>A client that keeps its observations for its next run (RFC 7641). They survive the end of a connection. See <see cref="ObservingExtensions"/>.</summary>
public interface IObservingClient : IRequestSender
{
    /// <summary>
    /// Returns the observations in <see cref="ClientObservationSettings.Store"/>, which an earlier run of the client left there. Reading one
    /// registers again with the same token. An observation that is not read stays in the store.
    /// </summary>
    /// <param name="cancellationToken">Cancels the observations.</param>
    IReadOnlyList<CoapObservation> RestoreObservations(CancellationToken cancellationToken = default);
}

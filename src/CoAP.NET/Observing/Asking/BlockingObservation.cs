using System.Collections;

namespace CoAP;

/// <summary>A resource under observation, to be read with <c>foreach</c> on a thread that waits for each notification (RFC 7641).</summary>
/// <remarks>As <see cref="CoapObservation"/> in everything else; may be read once.</remarks>
public sealed class BlockingObservation : IEnumerable<Notification>
{
    internal BlockingObservation(CoapObservation observation) => Observation = observation;

    /// <summary>How the observation is. To be looked at only: it is read here.</summary>
    public CoapObservation Observation { get; }

    /// <summary>Registers, and reads notification after notification, blocking the calling thread.</summary>
    /// <inheritdoc cref="CoapObservation.GetAsyncEnumerator" path="/exception"/>
    public IEnumerator<Notification> GetEnumerator() => Observation.GetBlockingEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

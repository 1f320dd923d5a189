using System.Collections;

namespace CoAP;

/// <summary>An observation of a resource. Read its notifications with <c>foreach</c>, which blocks the thread until each arrives (RFC 7641).</summary>
/// <remarks>Otherwise the same as <see cref="CoapObservation"/>. You can read it once.</remarks>
public sealed class BlockingObservation : IEnumerable<Notification>
{
    internal BlockingObservation(CoapObservation observation) => Observation = observation;

    /// <summary>The state and errors of the observation. Do not read notifications from it.</summary>
    public CoapObservation Observation { get; }

    /// <summary>Registers and returns the notifications. Blocks the calling thread until each arrives.</summary>
    /// <inheritdoc cref="CoapObservation.GetAsyncEnumerator" path="/exception"/>
    public IEnumerator<Notification> GetEnumerator() => Observation.GetBlockingEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

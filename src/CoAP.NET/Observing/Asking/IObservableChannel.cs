using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>A channel on which observations can live.</summary>
internal interface IObservableChannel
{
    /// <summary>The lane of the channel.</summary>
    LaneContext Lane { get; }

    /// <summary>What registers with the request on this channel, once it is handed to the lane.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message.</exception>
    LaneObservation Bind(CoapRequest request, ObservationLink link);
}

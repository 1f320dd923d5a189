using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Connects an observation of one channel. The observation ends with the channel.</summary>
internal sealed class ChannelObservationConnector(ChannelHandle channel, CoapRequest request) : ObservationConnector
{
    public override ValueTask StartAsync(ObservationContext context, CancellationToken cancellationToken)
    {
        Activate(ObservationRegistration.Of(channel, request, context));
        return ValueTask.CompletedTask;
    }

    public override void Start(ObservationContext context, CancellationToken cancellationToken)
    {
        channel.Lane.ThrowIfOwnedByCaller();
        Activate(ObservationRegistration.Of(channel, request, context));
    }

    public override void Retry(ObservationRegistration registration) => registration.Register();

    public override void OnLost(ObservationRegistration registration, Exception error) => GiveUp(registration.Context, error);
}

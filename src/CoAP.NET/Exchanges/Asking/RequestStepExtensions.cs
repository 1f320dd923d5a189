using CoAP.Exchanges;

namespace CoAP;

/// <summary>Adds steps to senders.</summary>
public static class RequestStepExtensions
{
    /// <summary>
    /// Returns a sender whose requests pass the steps before they reach this one. Requests that are sent through this sender itself do not pass
    /// them.
    /// </summary>
    /// <param name="sender">The sender: a client, a channel or another one.</param>
    /// <param name="steps">The steps. A request passes the first one first.</param>
    /// <remarks>The steps of a client for all its users are added with <see cref="CoapClient.Use(IRequestStep)"/>.</remarks>
    public static IRequestSender Through(this IRequestSender sender, params ReadOnlySpan<IRequestStep> steps)
    {
        ArgumentNullException.ThrowIfNull(sender);
        for (var i = steps.Length - 1; i >= 0; i--)
        {
            ArgumentNullException.ThrowIfNull(steps[i], nameof(steps));
            sender = new SteppedSender(steps[i], sender);
        }
        return sender;
    }
}

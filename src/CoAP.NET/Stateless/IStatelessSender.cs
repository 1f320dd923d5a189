using CoAP.Stateless;

namespace CoAP;

/// <summary>Sends requests without keeping state for them (RFC 8974); see <see cref="StatelessExtensions"/>.</summary>
public interface IStatelessSender : IRequestSender
{
    internal StatelessSender Stateless { get; }
}

using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Runtimes;
using Microsoft.Extensions.Logging;

namespace CoAP;

/// <summary>Sends requests to groups (RFC 7252, section 8); see <see cref="MulticastExtensions"/>.</summary>
public interface IMulticastSender : IRequestSender
{
    /// <summary>The settings for multicast requests without their own settings.</summary>
    internal MulticastRequestSettings MulticastDefaults { get; }

    /// <summary>The largest number of links that are read from one response.</summary>
    internal int MaxDiscoveredLinks { get; }

    internal ClientRouter Router { get; }

    /// <summary>Continues waiting readers.</summary>
    internal EndpointRuntime Runtime { get; }

    internal ILogger Logger { get; }

    /// <summary>Hands a request to the lane that sends to groups.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message, or an interface does not exist.</exception>
    internal GroupRequest BeginMulticast(in PeerIdentity group, CoapRequest request, MulticastRequestSettings settings, bool parked);
}

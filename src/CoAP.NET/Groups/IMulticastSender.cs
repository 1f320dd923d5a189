using CoAP.Exchanges;
using CoAP.Runtimes;
using Microsoft.Extensions.Logging;

namespace CoAP;

/// <summary>Discovers the resources of groups (RFC 7252, section 8); see <see cref="DiscoveryExtensions"/>.</summary>
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
}

using System.Globalization;
using System.Net;

namespace CoAP.Benchmarks.Load.Tests;

/// <summary>Finds services in this process.</summary>
internal static class Loopback
{
    /// <summary>The address of a service over UDP.</summary>
    public static IPEndPoint EndPointOf(IService service)
    {
        var address = service.Addresses.First(static line => line.StartsWith("udp ", StringComparison.Ordinal));
        return new IPEndPoint(IPAddress.Loopback, int.Parse(address[4..], CultureInfo.InvariantCulture));
    }
}

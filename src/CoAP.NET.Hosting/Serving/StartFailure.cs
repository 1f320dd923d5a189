using System.Net.Sockets;

namespace CoAP.Hosting;

/// <summary>Adds to the system's error about an address what the user can do about it.</summary>
internal static class StartFailure
{
    private const string Where = "the endpoints are in the configuration (by default in the section \"Coap\") or in AddCoapServer";

    public static CoapTransportException Of(SocketException error)
    {
        var advice = error.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse =>
                $"Another program, or an earlier instance of this one, uses the port. Stop it, or choose another port; {Where}. Port 0 selects a free one.",
            SocketError.AddressNotAvailable or SocketError.HostNotFound => $"Choose an address of this machine, or \"*\" for all; {Where}.",
            SocketError.AccessDenied => $"Ports below 1024 need rights that the process does not have. Choose another port; {Where}.",
            _ => $"Check the endpoints; {Where}.",
        };
        return new CoapTransportException($"The CoAP server cannot start. {error.Message} {advice}", error);
    }
}

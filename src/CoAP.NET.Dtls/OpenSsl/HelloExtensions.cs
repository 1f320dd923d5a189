using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The extensions of the hellos that OpenSSL does not know: connection IDs (RFC 9146) and the return routability check (RFC 9853).</summary>
/// <remarks>OpenSSL lets a server answer only the extensions that the client has sent, and reads all of them before it writes the first.</remarks>
internal static unsafe class HelloExtensions
{
    private const uint ConnectionId = 54, RoutabilityCheck = 61;
    private const int DecodeError = 50;

    /// <summary>Adds the extensions to all hellos of a context.</summary>
    /// <exception cref="CryptographicException">OpenSSL refuses them.</exception>
    public static void AddTo(SslContext context)
    {
        foreach (var type in (ReadOnlySpan<uint>)[ConnectionId, RoutabilityCheck])
        {
            if (SslCalls.AddExtension(context, type, SslCalls.InHellos, &WriteExtension, &FreeExtension, 0, &ReadExtension, 0) != 1)
            {
                throw new CryptographicException($"OpenSSL refuses extension {type}: {CryptoCalls.TakeErrors()}");
            }
        }
    }

    // The callbacks run within a call of the handshake, on its thread. An exception must not pass through OpenSSL.

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int WriteExtension(nint ssl, uint type, uint where, byte** data, nuint* length, nint certificate, nuint chain, int* alert, nint argument)
    {
        if (RunningHandshake.Current is not { OwnConnectionId: { } id } running) { return 0; }
        *data = null;
        *length = 0;
        if (type == RoutabilityCheck) { return running.AnnouncesRoutabilityCheck ? 1 : 0; }
        var bytes = (byte*)NativeMemory.Alloc((nuint)id.Length + 1);
        bytes[0] = (byte)id.Length;
        id.Span.CopyTo(new(bytes + 1, id.Length));
        *data = bytes;
        *length = (nuint)id.Length + 1;
        return 1;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void FreeExtension(nint ssl, uint type, uint where, byte* data, nint argument) => NativeMemory.Free(data);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int ReadExtension(nint ssl, uint type, uint where, byte* data, nuint length, nint certificate, nuint chain, int* alert, nint argument)
    {
        var running = RunningHandshake.Current;
        if (type == RoutabilityCheck && length == 0)
        {
            running?.HasPeerRoutabilityCheck = true;
            return 1;
        }
        if (type == ConnectionId && length > 0 && data[0] == length - 1)
        {
            running?.PeerConnectionId = new Span<byte>(data + 1, data[0]).ToArray();
            return 1;
        }
        *alert = DecodeError;
        return 0;
    }
}

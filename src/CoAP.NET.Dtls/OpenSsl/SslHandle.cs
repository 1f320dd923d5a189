using System.Numerics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace CoAP.Dtls.OpenSsl;

/// <summary>An SSL object and the two BIOs that it owns.</summary>
internal sealed class SslHandle : SafeHandle
{
    private static int _count;

    public SslHandle()
        : base(0, ownsHandle: true)
    {
    }

    /// <summary>The number of objects in the process. Each lives as long as its handshake.</summary>
    public static int Count => Volatile.Read(ref _count);

    public override bool IsInvalid => handle == 0;

    /// <summary>What the object reads.</summary>
    public nint Input { get; private set; }

    /// <summary>What the object has written.</summary>
    public nint Output { get; private set; }

    /// <exception cref="CryptographicException">OpenSSL has no memory.</exception>
    public static SslHandle Create(SslContext context)
    {
        var ssl = new SslHandle();
        ssl.SetHandle(SslCalls.New(context));
        if (ssl.IsInvalid) { throw new CryptographicException($"OpenSSL cannot begin a handshake: {CryptoCalls.TakeErrors()}"); }
        Interlocked.Increment(ref _count);
        (ssl.Input, ssl.Output) = (CryptoCalls.NewBio(CryptoCalls.MemoryBio()), CryptoCalls.NewBio(CryptoCalls.MemoryBio()));
        CryptoCalls.ControlBio(ssl.Input, CryptoCalls.SetEofReturn, -1, 0);
        CryptoCalls.ControlBio(ssl.Output, CryptoCalls.SetEofReturn, -1, 0);
        SslCalls.SetBio(ssl, ssl.Input, ssl.Output);
        return ssl;
    }

    /// <summary>Sets the name of the server that a client asks for. An address is not sent (RFC 6066, section 3).</summary>
    public unsafe void SetServerName(string name)
    {
        if (System.Net.IPAddress.TryParse(name, out _)) { return; }
        fixed (byte* start = Encoding.ASCII.GetBytes(ServerNames.ToAscii(name) + '\0')) { _ = SslCalls.Control(this, SslCalls.SetServerName, 0, (nint)start); }
    }

    /// <summary>Lets the hello of a client ask for shorter records of both sides (RFC 6066, section 4).</summary>
    /// <param name="bytes">The longest content: 512, 1024, 2048 or 4096.</param>
    public void SetMaxContent(int bytes)
    {
        const int LogOfCodeZero = 8;        // code 1 stands for 2^9 bytes
        _ = SslCalls.SetMaxFragmentLength(this, (byte)(BitOperations.Log2((uint)bytes) - LogOfCodeZero));
    }

    protected override bool ReleaseHandle()
    {
        SslCalls.Free(handle);
        Interlocked.Decrement(ref _count);
        return true;
    }
}

using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Calls the pairs of functions with which OpenSSL reads and writes its objects as DER ("d2i" and "i2d").</summary>
internal static unsafe class DerCodec
{
    /// <summary>Returns a new object of OpenSSL; 0 if it refuses the bytes.</summary>
    public static nint Read(ReadOnlySpan<byte> der, delegate*<nint, byte**, long, nint> read)
    {
        fixed (byte* start = der)
        {
            var next = start;
            return read(0, &next, der.Length);
        }
    }

    /// <summary>Returns an object of OpenSSL as DER.</summary>
    /// <exception cref="CryptographicException">OpenSSL cannot write it.</exception>
    public static byte[] Write(nint value, delegate*<nint, byte**, int> write)
    {
        var length = write(value, null);
        if (length <= 0) { throw new CryptographicException(CryptoCalls.TakeErrors()); }
        var der = new byte[length];
        fixed (byte* start = der)
        {
            var next = start;
            _ = write(value, &next);
        }
        return der;
    }
}

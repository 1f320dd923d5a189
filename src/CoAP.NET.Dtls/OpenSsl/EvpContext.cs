using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>A cipher of OpenSSL for one algorithm and direction, which takes another key for each record.</summary>
internal sealed unsafe class EvpContext : SafeHandle
{
    private readonly bool _isCcm;
    private readonly bool _encrypts;

    /// <param name="name">The name of the algorithm in OpenSSL.</param>
    /// <param name="isCcm">Whether it is CCM, which needs all lengths beforehand.</param>
    /// <param name="encrypts">The direction.</param>
    /// <exception cref="CryptographicException">OpenSSL does not have the algorithm.</exception>
    public EvpContext(string name, bool isCcm, bool encrypts)
        : base(0, ownsHandle: true)
    {
        (_isCcm, _encrypts) = (isCcm, encrypts);
        SetHandle(CryptoCalls.NewCipherContext());
        var cipher = CryptoCalls.FetchCipher(0, name, 0);
        try
        {
            if (IsInvalid || cipher == 0) { throw new CryptographicException($"OpenSSL does not have {name}: {CryptoCalls.TakeErrors()}"); }
            Require(CryptoCalls.InitCipher(this, cipher, 0, null, null, encrypts ? 1 : 0));
            Require(CryptoCalls.ControlCipher(this, CryptoCalls.SetIvLength, RecordNonce.Length, null));
        }
        finally { CryptoCalls.FreeCipher(cipher); }
    }

    public override bool IsInvalid => handle == 0;

    /// <summary>Encrypts or decrypts a text in place. Returns <see langword="false"/> if it is not authentic.</summary>
    public bool TryRun(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag)
    {
        byte none = 0;
        int written;
        fixed (byte* keyStart = key, nonceStart = nonce, dataStart = associatedData, textStart = text, tagStart = tag)
        {
            var place = textStart is null ? &none : textStart;
            // The lengths must be known before the key.
            if (_isCcm || !_encrypts) { Require(CryptoCalls.ControlCipher(this, CryptoCalls.SetTag, tag.Length, _encrypts ? null : tagStart)); }
            Require(CryptoCalls.InitCipher(this, 0, 0, keyStart, nonceStart, _encrypts ? 1 : 0));
            if (_isCcm) { Require(CryptoCalls.UpdateCipher(this, null, &written, null, text.Length)); }
            Require(CryptoCalls.UpdateCipher(this, null, &written, dataStart, associatedData.Length));
            var isAuthentic = CryptoCalls.UpdateCipher(this, place, &written, place, text.Length) > 0
                && (_isCcm || CryptoCalls.FinishCipher(this, place + text.Length, &written) > 0);
            if (isAuthentic && _encrypts) { Require(CryptoCalls.ControlCipher(this, CryptoCalls.GetTag, tag.Length, tagStart)); }
            if (!isAuthentic) { CryptoCalls.ClearErrors(); }
            return isAuthentic;
        }
    }

    protected override bool ReleaseHandle()
    {
        CryptoCalls.FreeCipherContext(handle);
        return true;
    }

    private static void Require(int result)
    {
        if (result <= 0) { throw new CryptographicException($"OpenSSL refuses to protect a record: {CryptoCalls.TakeErrors()}"); }
    }
}

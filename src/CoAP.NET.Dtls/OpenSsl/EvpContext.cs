using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>A cipher of OpenSSL for one algorithm and direction, which takes another key for each record. One thread at a time.</summary>
internal sealed unsafe class EvpContext : SafeHandle
{
    private readonly bool _isCcm;
    private readonly bool _encrypts;

    /// <param name="name">The name of the algorithm in OpenSSL.</param>
    /// <param name="isCcm">Whether it is CCM, which needs all lengths in advance.</param>
    /// <param name="tagLength">The length of the tags in bytes.</param>
    /// <param name="encrypts">The direction.</param>
    /// <exception cref="CryptographicException">OpenSSL does not have the algorithm.</exception>
    public EvpContext(string name, bool isCcm, int tagLength, bool encrypts)
        : base(0, ownsHandle: true)
    {
        (_isCcm, _encrypts) = (isCcm, encrypts);
        SetHandle(CryptoCalls.NewCipherContext());
        var cipher = CryptoCalls.FetchCipher(0, name, 0);
        try
        {
            if (IsInvalid || cipher == 0) { throw new CryptographicException($"OpenSSL does not have {name}: {CryptoCalls.TakeErrors()}"); }
            Require(CryptoCalls.InitCipher(handle, cipher, 0, null, null, encrypts ? 1 : 0));
            Require(CryptoCalls.ControlCipher(handle, CryptoCalls.SetIvLength, RecordNonce.Length, null));
            // It stays the same with all keys. Setting it for each record would cost a tenth of the whole.
            if (isCcm) { Require(CryptoCalls.ControlCipher(handle, CryptoCalls.SetTag, tagLength, null)); }
        }
        finally { CryptoCalls.FreeCipher(cipher); }
    }

    public override bool IsInvalid => handle == 0;

    /// <summary>Encrypts a text in place and writes its tag.</summary>
    public void Seal(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag)
    {
        fixed (byte* tagStart = tag)
        {
            if (!TryRun(key, nonce, associatedData, text)) { Require(0); }
            Require(CryptoCalls.ControlCipher(handle, CryptoCalls.GetTag, tag.Length, tagStart));
        }
        GC.KeepAlive(this);
    }

    /// <summary>Decrypts a text in place. Returns <see langword="false"/> if it is not authentic.</summary>
    public bool TryOpen(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, ReadOnlySpan<byte> tag)
    {
        fixed (byte* tagStart = tag) { Require(CryptoCalls.ControlCipher(handle, CryptoCalls.SetTag, tag.Length, tagStart)); }
        var isAuthentic = TryRun(key, nonce, associatedData, text);
        if (!isAuthentic) { CryptoCalls.ClearErrors(); }
        GC.KeepAlive(this);
        return isAuthentic;
    }

    protected override bool ReleaseHandle()
    {
        CryptoCalls.FreeCipherContext(handle);
        return true;
    }

    // CCM has checked the tag when it has decrypted the text; the others check it at the end.
    private bool TryRun(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text)
    {
        byte none = 0;
        int written;
        fixed (byte* keyStart = key, nonceStart = nonce, dataStart = associatedData, textStart = text)
        {
            var place = textStart is null ? &none : textStart;
            Require(CryptoCalls.InitCipher(handle, 0, 0, keyStart, nonceStart, _encrypts ? 1 : 0));
            if (_isCcm) { Require(CryptoCalls.AnnounceText(handle, null, &written, null, text.Length)); }
            Require(CryptoCalls.AnnounceText(handle, null, &written, dataStart, associatedData.Length));
            return CryptoCalls.UpdateCipher(handle, place, &written, place, text.Length) > 0
                && (_isCcm || CryptoCalls.FinishCipher(handle, place + text.Length, &written) > 0);
        }
    }

    private static void Require(int result)
    {
        if (result <= 0) { throw new CryptographicException($"OpenSSL could not process a record: {CryptoCalls.TakeErrors()}"); }
    }
}

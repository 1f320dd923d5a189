using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>The ciphers of .NET. They are slower than those of OpenSSL: each record needs an object, and each forged record throws an exception.</summary>
internal sealed class PlatformCipher : IRecordCipher
{
    public void Seal(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag)
    {
        switch (key.Suite.Aead)
        {
            case Aead.AesCcm:
                using (var ccm = new AesCcm(key.Key)) { ccm.Encrypt(nonce, text, text, tag, associatedData); }
                break;
            case Aead.AesGcm:
                using (var gcm = new AesGcm(key.Key, tag.Length)) { gcm.Encrypt(nonce, text, text, tag, associatedData); }
                break;
            default:
                using (var chacha = new ChaCha20Poly1305(key.Key)) { chacha.Encrypt(nonce, text, text, tag, associatedData); }
                break;
        }
    }

    public bool TryOpen(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, ReadOnlySpan<byte> tag)
    {
        try
        {
            switch (key.Suite.Aead)
            {
                case Aead.AesCcm:
                    using (var ccm = new AesCcm(key.Key)) { ccm.Decrypt(nonce, text, tag, text, associatedData); }
                    break;
                case Aead.AesGcm:
                    using (var gcm = new AesGcm(key.Key, tag.Length)) { gcm.Decrypt(nonce, text, tag, text, associatedData); }
                    break;
                default:
                    using (var chacha = new ChaCha20Poly1305(key.Key)) { chacha.Decrypt(nonce, text, tag, text, associatedData); }
                    break;
            }
            return true;
        }
        catch (AuthenticationTagMismatchException) { return false; }
    }
}

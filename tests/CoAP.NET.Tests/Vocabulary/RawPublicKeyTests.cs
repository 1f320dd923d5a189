using System.Security.Cryptography;

namespace CoAP.Tests.Vocabulary;

public sealed class RawPublicKeyTests
{
    [Fact, Trait("RFC", "7252 9.1.3.2.1")]
    public void The_identifier_is_a_hash_of_120_bits()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var info = key.ExportSubjectPublicKeyInfo();

        var cut = RawPublicKey.From(info);

        cut.Identifier.Should().Be("ni:///sha-256-120;" + Convert.ToBase64String(SHA256.HashData(info)[..15]).Replace('+', '-').Replace('/', '_'));
        cut.Should().Be(RawPublicKey.From(key));
        cut.GetHashCode().Should().Be(RawPublicKey.From(key).GetHashCode());
    }

    [Fact]
    public void Other_bytes_are_an_error()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        byte[] longer = [.. key.ExportSubjectPublicKeyInfo(), 0];

        FluentActions.Invoking(static () => RawPublicKey.From([1, 2, 3])).Should().Throw<ArgumentException>().WithMessage("The 3 bytes are not a SubjectPublicKeyInfo*");
        FluentActions.Invoking(() => RawPublicKey.From(longer)).Should().Throw<ArgumentException>().WithMessage("*there are 92 in all*");
        FluentActions.Invoking(static () => RawPublicKey.From((AsymmetricAlgorithm)null!)).Should().Throw<ArgumentNullException>();
    }
}

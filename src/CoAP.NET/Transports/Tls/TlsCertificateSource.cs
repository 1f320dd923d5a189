using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP;

/// <summary>Where a server's certificate comes from: asked for each new connection, so that it can be renewed without a restart.</summary>
/// <remarks>Safe for concurrent use. Connections that are open keep the certificate they began with.</remarks>
public abstract class TlsCertificateSource
{
    /// <summary>The certificate for a connection.</summary>
    /// <param name="hostName">The name that the client asked for (SNI); empty where it named none.</param>
    /// <exception cref="CryptographicException">The certificate cannot be read; the connection is refused.</exception>
    public abstract SslStreamCertificateContext Select(string hostName);

    /// <summary>Whether the certificate may be another one for another name. Where not, no handshake has to wait for the name.</summary>
    internal virtual bool DependsOnName => true;

    /// <summary>One certificate for ever.</summary>
    /// <exception cref="ArgumentException">It has no private key.</exception>
    public static TlsCertificateSource From(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        if (!certificate.HasPrivateKey) { throw new ArgumentException($"The certificate of '{certificate.Subject}' has no private key.", nameof(certificate)); }
        return new Fixed(SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true));
    }

    /// <summary>PEM files, read again when either of them was replaced.</summary>
    /// <param name="certificateFile">The certificate, and the chain behind it.</param>
    /// <param name="keyFile">The private key.</param>
    /// <param name="timeProvider">The clock; the system's by default. Files are looked at once a second at the most.</param>
    /// <exception cref="CryptographicException">They are no certificate and key.</exception>
    /// <exception cref="IOException">They cannot be read.</exception>
    public static TlsCertificateSource FromFiles(string certificateFile, string keyFile, TimeProvider? timeProvider = null) =>
        new Files(certificateFile, keyFile, timeProvider ?? TimeProvider.System);

    private sealed class Fixed(SslStreamCertificateContext context) : TlsCertificateSource
    {
        internal override bool DependsOnName => false;

        public override SslStreamCertificateContext Select(string hostName) => context;
    }

    private sealed class Files : TlsCertificateSource
    {
        private static readonly TimeSpan LookAgainAfter = TimeSpan.FromSeconds(1);

        private readonly string _certificateFile;
        private readonly string _keyFile;
        private readonly TimeProvider _time;
        private readonly Lock _gate = new();
        private SslStreamCertificateContext _context;
        private (DateTime Certificate, DateTime Key) _written;
        private long _lookedAt;

        public Files(string certificateFile, string keyFile, TimeProvider time)
        {
            (_certificateFile, _keyFile, _time) = (certificateFile, keyFile, time);
            (_written, _context, _lookedAt) = (Written(), Read(), time.GetTimestamp());
        }

        internal override bool DependsOnName => false;

        public override SslStreamCertificateContext Select(string hostName)
        {
            lock (_gate)
            {
                if (_time.GetElapsedTime(_lookedAt) < LookAgainAfter) { return _context; }
                _lookedAt = _time.GetTimestamp();
                var written = Written();
                if (written == _written) { return _context; }
                // Between the two files being replaced they do not fit together: the old pair goes on until they do.
                try { (_context, _written) = (Read(), written); }
                catch (Exception exception) when (exception is CryptographicException or IOException)
                {
                    return _context;
                }
                return _context;
            }
        }

        private (DateTime Certificate, DateTime Key) Written() => (File.GetLastWriteTimeUtc(_certificateFile), File.GetLastWriteTimeUtc(_keyFile));

        private SslStreamCertificateContext Read()
        {
            var certificate = X509Certificate2.CreateFromPemFile(_certificateFile, _keyFile);
            var chain = new X509Certificate2Collection();
            chain.ImportFromPemFile(_certificateFile);
            return SslStreamCertificateContext.Create(certificate, chain, offline: true);
        }
    }
}

using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP;

/// <summary>Provides the certificate of a server for each new connection, so that it can change without a restart.</summary>
/// <remarks>Safe for concurrent use. Open connections keep the certificate that they started with.</remarks>
public abstract class TlsCertificateSource
{
    /// <summary>Returns the certificate for a connection.</summary>
    /// <param name="hostName">The host name that the client requested (SNI). Empty if it sent none.</param>
    /// <exception cref="CryptographicException">The certificate cannot be read. The connection is refused.</exception>
    public abstract SslStreamCertificateContext Select(string hostName);

    /// <summary>
    /// Returns when the certificate expires that a client without a host name gets; <see langword="null"/> if such a client gets none, or its
    /// certificate cannot be read.
    /// </summary>
    public DateTimeOffset? GetExpiry()
    {
        try { return Select("").TargetCertificate.NotAfter; }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>The logger for certificates that cannot be reloaded. An endpoint sets it when it starts. Default: nothing is logged.</summary>
    /// <exception cref="ArgumentNullException">The value is <see langword="null"/>.</exception>
    public ILogger Logger { get; set => field = Bound.NotNull(value); } = NullLogger.Instance;

    /// <summary>
    /// Whether the certificate depends on the host name. Default: <see langword="true"/>. If it does not, blocking handshakes (<see cref="ServerMode.Sync"/>)
    /// call <see cref="Select"/> with an empty name and let clients resume sessions.
    /// </summary>
    public virtual bool DependsOnName => true;

    /// <summary>Creates a source that always returns the same certificate.</summary>
    /// <exception cref="ArgumentException">The certificate has no private key.</exception>
    public static TlsCertificateSource From(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return new Fixed(TlsProtocols.ContextOf(certificate, nameof(certificate)));
    }

    /// <summary>Creates a source that reads PEM files and reloads them when one of them changes.</summary>
    /// <param name="certificateFile">The path of the file with the certificate, followed by its chain.</param>
    /// <param name="keyFile">The path of the file with the private key.</param>
    /// <param name="timeProvider">The clock. Default: the system clock. The files are checked at most once per second.</param>
    /// <exception cref="CryptographicException">The files do not contain a certificate and its private key.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static TlsCertificateSource FromFiles(string certificateFile, string keyFile, TimeProvider? timeProvider = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(certificateFile);
        ArgumentException.ThrowIfNullOrEmpty(keyFile);
        return new ReloadingFiles(certificateFile, keyFile, timeProvider ?? TimeProvider.System);
    }

    private sealed class Fixed(SslStreamCertificateContext context) : TlsCertificateSource
    {
        public override bool DependsOnName => false;

        public override SslStreamCertificateContext Select(string hostName) => context;
    }

    private sealed class ReloadingFiles : TlsCertificateSource
    {
        private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);

        private readonly string _certificateFile;
        private readonly string _keyFile;
        private readonly TimeProvider _time;
        private readonly Lock _gate = new();
        private SslStreamCertificateContext _context;
        private (DateTime Certificate, DateTime Key) _modified;
        private (DateTime Certificate, DateTime Key) _refused;
        private long _checkedAt;

        public ReloadingFiles(string certificateFile, string keyFile, TimeProvider time)
        {
            (_certificateFile, _keyFile, _time) = (certificateFile, keyFile, time);
            (_modified, _context, _checkedAt) = (ReadTimes(), Read(), time.GetTimestamp());
        }

        public override bool DependsOnName => false;

        public override SslStreamCertificateContext Select(string hostName)
        {
            lock (_gate)
            {
                if (_time.GetElapsedTime(_checkedAt) < CheckInterval) { return _context; }
                _checkedAt = _time.GetTimestamp();
                var modified = ReadTimes();
                if (modified == _modified || modified == _refused) { return _context; }
                // While only one of the two files is replaced, they do not match. The old pair stays in use until they do.
                try { (_context, _modified) = (Read(), modified); }
                catch (Exception exception) when (exception is CryptographicException or IOException or UnauthorizedAccessException)
                {
                    _refused = modified;
                    Log.CertificateNotRenewed(Logger, exception, _certificateFile, _keyFile);
                }
                return _context;
            }
        }

        private (DateTime Certificate, DateTime Key) ReadTimes() => (File.GetLastWriteTimeUtc(_certificateFile), File.GetLastWriteTimeUtc(_keyFile));

        private SslStreamCertificateContext Read()
        {
            try
            {
                var certificate = X509Certificate2.CreateFromPemFile(_certificateFile, _keyFile);
                var chain = new X509Certificate2Collection();
                chain.ImportFromPemFile(_certificateFile);
                return SslStreamCertificateContext.Create(certificate, chain, offline: true);
            }
            catch (Exception exception) when (exception is CryptographicException or ArgumentException)
            {
                throw new CryptographicException($"{_certificateFile} and {_keyFile} do not contain a certificate and its private key in PEM: {exception.Message}", exception);
            }
        }
    }
}

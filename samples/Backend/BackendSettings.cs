namespace Backend;

/// <summary>The section "Backend" of the configuration. README.md lists the keys.</summary>
internal sealed class BackendSettings
{
    public const string Section = "Backend";

    /// <summary>The address that CoAP listens on.</summary>
    public string Address { get; set; } = "127.0.0.1";

    /// <summary>The port of coap, which serves programs on this machine only. It is open if <see cref="AllowsPlainLoopback"/> is set.</summary>
    public int Port { get; set; } = 5683;

    /// <summary>The port of coaps. It is open if there are keys or a certificate.</summary>
    public int SecurePort { get; set; } = 5684;

    /// <summary>Whether programs on this machine may use coap without any key. For trying out.</summary>
    public bool AllowsPlainLoopback { get; set; }

    /// <summary>The pre-shared keys by identity. The identity is the id of a controller or the name of an operator. Hexadecimal after "0x".</summary>
    public Dictionary<string, string> Keys { get; set; } = [];

    /// <summary>The identities of the keys whose holders may read everything and set set points.</summary>
    public string[] Operators { get; set; } = [];

    /// <summary>The common names of the certificates whose holders may do the same.</summary>
    public string[] CertificateOperators { get; set; } = [];

    /// <summary>The files of the server's certificate and of the authority of the controllers' certificates, in PEM.</summary>
    public CertificateFiles? Certificate { get; set; }

    /// <summary>Where readings are stored.</summary>
    public StoreKind Store { get; set; } = StoreKind.Memory;

    /// <summary>The connection string of PostgreSQL.</summary>
    public string? ConnectionString { get; set; }

    /// <summary>The most requests that are written together.</summary>
    public int BatchSize { get; set; } = 500;

    /// <summary>The longest time that a request waits for others to be written with it.</summary>
    public TimeSpan BatchDelay { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>The most requests that wait to be written. One more gets 5.03.</summary>
    public int MaxWaiting { get; set; } = 10_000;

    /// <summary>The most requests of one controller that wait to be written. One more gets 4.29.</summary>
    public int MaxWaitingPerController { get; set; } = 64;

    /// <summary>The most controllers. Requests of further ones get 5.03.</summary>
    public int MaxControllers { get; set; } = 10_000;

    /// <summary>The most controllers of one identity. All programs without a key are one identity. With a key, a peer reaches its own id only.</summary>
    public int MaxControllersPerIdentity { get; set; } = 2_000;

    /// <summary>The time without a request after which a controller may lose its place to a new one.</summary>
    public TimeSpan SilentAfter { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>The most pages that are open at the same time. One more gets 503.</summary>
    public int MaxPages { get; set; } = 64;

    /// <summary>The most open pages of one address. One more gets 429.</summary>
    public int MaxPagesPerAddress { get; set; } = 8;

    /// <summary>The readings of each controller that the store in memory keeps.</summary>
    public int History { get; set; } = 600;

    /// <summary>The Max-Age of a 5.03, and the time between two attempts to reach a store that is down.</summary>
    public TimeSpan RetryAfter { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The number of simulated controllers. They report to this backend once a second.</summary>
    public int Simulate { get; set; }

    /// <summary>The address of an OpenTelemetry collector, such as "http://localhost:4317".</summary>
    public Uri? Otlp { get; set; }

    /// <summary>Reads the settings and checks them.</summary>
    /// <exception cref="InvalidOperationException">A value is wrong. The message names its key.</exception>
    public static BackendSettings Read(IConfiguration configuration)
    {
        var settings = new BackendSettings();
        configuration.GetSection(Section).Bind(settings);
        Require(settings.Store != StoreKind.PostgreSql || settings.ConnectionString is not null, nameof(ConnectionString), "is missing; PostgreSql needs it");
        Require(settings.BatchSize >= 1, nameof(BatchSize), "must be at least 1");
        Require(settings.BatchDelay > TimeSpan.Zero, nameof(BatchDelay), "must be positive");
        Require(settings.MaxWaiting >= settings.BatchSize, nameof(MaxWaiting), $"must be at least {nameof(BatchSize)}, {settings.BatchSize}");
        Require(settings.MaxWaitingPerController >= 1, nameof(MaxWaitingPerController), "must be at least 1");
        Require(settings.MaxControllers >= 1, nameof(MaxControllers), "must be at least 1");
        Require(settings.MaxControllersPerIdentity >= 1, nameof(MaxControllersPerIdentity), "must be at least 1");
        Require(settings.SilentAfter > TimeSpan.Zero, nameof(SilentAfter), "must be positive");
        Require(settings.MaxPages >= 1, nameof(MaxPages), "must be at least 1");
        Require(settings.MaxPagesPerAddress >= 1, nameof(MaxPagesPerAddress), "must be at least 1");
        Require(
            settings.Operators.All(settings.Keys.ContainsKey), nameof(Operators), $"names an identity without a key; names of certificates belong into {nameof(CertificateOperators)}");
        Require(settings.History >= 1, nameof(History), "must be at least 1");
        Require(settings.RetryAfter > TimeSpan.Zero, nameof(RetryAfter), "must be positive");
        Require(settings.Simulate == 0 || settings.AllowsPlainLoopback, nameof(Simulate), $"needs {nameof(AllowsPlainLoopback)}");
        Require(
            settings.AllowsPlainLoopback || settings.HasSecurity, nameof(Keys), $"has no key; set keys, a {nameof(Certificate)} or {nameof(AllowsPlainLoopback)}");
        return settings;
    }

    public bool HasSecurity => Keys.Count > 0 || Certificate is not null;

    private static void Require(bool isMet, string key, string otherwise)
    {
        if (!isMet) { throw new InvalidOperationException($"{Section}:{key} {otherwise}."); }
    }
}

/// <summary>Files of certificates in PEM.</summary>
internal sealed class CertificateFiles
{
    public string File { get; set; } = "server.pem";

    public string KeyFile { get; set; } = "server.key";

    /// <summary>The authority of the controllers. The common name of a certificate is the id of its controller, unless there is a key with this identity.</summary>
    public string Authority { get; set; } = "ca.pem";
}

/// <summary>The kinds of stores.</summary>
internal enum StoreKind
{
    /// <summary>In memory. It is empty after a restart.</summary>
    Memory,

    /// <summary>A table in PostgreSQL.</summary>
    PostgreSql,
}

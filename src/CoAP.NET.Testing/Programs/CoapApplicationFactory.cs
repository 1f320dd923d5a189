using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Testing;

/// <summary>
/// Runs a hosted program in a test: its own <c>Main</c>, configuration and services, with its CoAP server and clients on a simulated network. Works with
/// generic hosts and web applications.
/// </summary>
/// <remarks>
/// The program starts when <see cref="Services"/>, <see cref="CreateClient"/> or <see cref="Start"/> is used for the first time. Change the services and the
/// settings before that. The <see cref="TimeProvider"/> of its services is the clock of the network.
/// </remarks>
/// <typeparam name="TEntryPoint">Any type of the program's assembly, such as <c>Program</c>.</typeparam>
[RequiresUnreferencedCode("The entry point of the program is found by reflection.")]
public sealed class CoapApplicationFactory<TEntryPoint> : IAsyncDisposable, IDisposable
    where TEntryPoint : class
{
    private readonly List<Action<IServiceCollection>> _services = [];
    private readonly Dictionary<string, string?> _settings = new() { ["urls"] = "http://127.0.0.1:0" };
    private readonly List<CoapClient> _clients = [];
    private ProgramRun? _run;
    private bool _isDisposed;

    /// <summary>The network of the program and its clients.</summary>
    public SimulatedNetwork Network { get; init; } = new();

    /// <summary>The name of the server on the network, which is the host in URIs. Default: "server".</summary>
    public string ServerName { get; init; } = "server";

    /// <summary>The arguments of <c>Main</c>. Default: none.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The services of the program. Starts it.</summary>
    /// <inheritdoc cref="Start" path="/exception"/>
    public IServiceProvider Services => Started().Host.Services;

    /// <summary>Changes the services after the program has added its own, for example to replace one.</summary>
    /// <param name="configure">Called when the host is built.</param>
    /// <exception cref="InvalidOperationException">The program has started.</exception>
    public CoapApplicationFactory<TEntryPoint> ConfigureServices(Action<IServiceCollection> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        ThrowIfStarted();
        _services.Add(configure);
        return this;
    }

    /// <summary>Sets a value of the configuration. It overrides those of files, the environment and the command line.</summary>
    /// <param name="key">The key, such as <c>Coap:MaxPendingRequests</c>.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidOperationException">The program has started.</exception>
    public CoapApplicationFactory<TEntryPoint> WithSetting(string key, string? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        ThrowIfStarted();
        _settings[key] = value;
        return this;
    }

    /// <summary>Starts the program and waits until its host has started. Does nothing if it has started.</summary>
    /// <exception cref="InvalidOperationException">The program has ended without a host, or has no entry point.</exception>
    /// <exception cref="TimeoutException">The host has not started within 30 s.</exception>
    /// <remarks>Exceptions of <c>Main</c> and of the start of the host are thrown as they are.</remarks>
    public void Start() => Started();

    /// <summary>Creates a client on the network. Starts the program. The factory disposes of the client.</summary>
    /// <param name="settings">
    /// Its settings. Default: those of <see cref="CoapClientSettings"/>. Without a <see cref="CoapClientSettings.BaseUri"/>, relative URIs lead to the server of the program.
    /// </param>
    /// <param name="name">The name of the client on the network. Default: "client" with a number.</param>
    /// <inheritdoc cref="Start" path="/exception"/>
    public CoapClient CreateClient(CoapClientSettings? settings = null, string? name = null)
    {
        Started();
        settings ??= new CoapClientSettings();
        var client = new CoapClient(Network.Place(settings with { BaseUri = settings.BaseUri ?? $"coap://{ServerName}" }, name));
        _clients.Add(client);
        return client;
    }

    /// <summary>Disposes of the clients and stops the program.</summary>
    public void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        foreach (var client in _clients) { client.Dispose(); }
        _run?.Stop();
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    private ProgramRun Started()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_run is null)
        {
            _run = new ProgramRun(typeof(TEntryPoint).Assembly, [.. Arguments], Change);
            _run.Start(Network);
        }
        _run.ThrowIfFailed();
        return _run;
    }

    private void Change(IHostBuilder builder)
    {
        builder.ConfigureAppConfiguration((_, configuration) => configuration.AddInMemoryCollection(_settings));
        builder.ConfigureServices((_, services) =>
        {
            services.AddSingleton<TimeProvider>(Network.Clock);
            if (services.Any(static service => service.ServiceType == typeof(CoapServer))) { services.ConfigureCoapServer(settings => Network.Place(settings, ServerName)); }
            services.ConfigureCoapClient(settings => Network.Place(settings));
            foreach (var change in _services) { change(services); }
        });
    }

    private void ThrowIfStarted()
    {
        if (_run is not null) { throw new InvalidOperationException("The program has started. Change its services and settings before Services or CreateClient is used."); }
    }
}

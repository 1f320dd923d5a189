using System.Net;
using CoAP.Tests.Dtls.Endpoints;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A relay between a client and a server of DTLS, which keeps all datagrams for tshark. In the file, the server has the port of coaps.</summary>
internal sealed class RelayedCapture : IDisposable
{
    private static readonly IPEndPoint Server = new(IPAddress.Parse("192.0.2.2"), 5684);

    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;
    private readonly PcapFile _file;
    private volatile IPEndPoint _client = new(IPAddress.Parse("192.0.2.1"), 50_000);

    public RelayedCapture(IPEndPoint server)
    {
        _file = new(CapturePath);
        Relay = new(server) { Passes = Keep };
    }

    public UdpRelay Relay { get; }

    /// <summary>The URI of the relay without a path.</summary>
    public string Origin => $"coaps://127.0.0.1:{Relay.Port}";

    /// <summary>A file for the secrets of the sessions. tshark reads it if it exists.</summary>
    public string KeyLogPath => Path.Combine(_folder, "keys.log");

    private string CapturePath => Path.Combine(_folder, "datagrams.pcap");

    /// <summary>Gives the client another port.</summary>
    public void Move()
    {
        Relay.Move();
        _client = new(_client.Address, _client.Port + 1);
    }

    /// <summary>Returns the lines that tshark prints about the datagrams until now.</summary>
    public async Task<IReadOnlyList<string>> ReadAsync(params string[] what)
    {
        string[] keys = File.Exists(KeyLogPath) ? ["-o", $"tls.keylog_file:{KeyLogPath}"] : [];
        var outcome = await RunningProgram.RunAsync(Needed.TShark, ["-n", "-2", "-r", CapturePath, .. keys, .. what]);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        return outcome.Output;
    }

    public void Dispose()
    {
        Relay.Dispose();
        _file.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private bool Keep(byte[] datagram, bool toServer)
    {
        if (toServer) { _file.Add(_client, Server, datagram); }
        else { _file.Add(Server, _client, datagram); }
        return true;
    }
}

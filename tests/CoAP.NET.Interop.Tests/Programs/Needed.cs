using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Xunit.Sdk;

namespace CoAP.Interop.Tests.Programs;

/// <summary>What a test cannot do without: missing, the test is skipped with a reason, and fails where <c>COAP_INTEROP=required</c>.</summary>
internal static class Needed
{
    public const string CoapClient = "coap-client-notls";
    public const string CoapServer = "coap-server-notls";
    public const string CoapClientOpenSsl = "coap-client-openssl";
    public const string CoapServerOpenSsl = "coap-server-openssl";
    public const string CoapClientGnuTls = "coap-client-gnutls";
    public const string CoapServerGnuTls = "coap-server-gnutls";
    public const string OpenSsl = "openssl";
    public const string TShark = "tshark";
    public const string Text2Pcap = "text2pcap";
    public const string Chromium = "chromium-headless-shell";

    private static readonly ConcurrentDictionary<string, Task<Outcome>> NodePackages = new();
    private static readonly bool IsRequired = Environment.GetEnvironmentVariable("COAP_INTEROP") == "required";

    public static void Programs(params string[] names)
    {
        Need(OperatingSystem.IsLinux(), "the foreign programs are those of Debian");
        var missing = names.Where(name => !IsInstalled(name)).ToArray();
        Need(
            missing.Length == 0,
            $"{string.Join(" and ", missing)} not found (Debian packages libcoap3-bin, openssl, tshark and chromium-headless-shell)");
    }

    /// <summary>A package of npm that node finds, for example by <c>NODE_PATH</c>.</summary>
    public static async Task NodePackageAsync(string name)
    {
        var isThere = IsInstalled("node") && (await NodePackages.GetOrAdd(name, static one => RunningProgram.RunAsync("node", "-e", $"require('{one}')"))).ExitCode == 0;
        Need(isThere, $"node does not find the package {name} (npm install {name}; NODE_PATH names the folder node_modules)");
    }

    public static void Address(string address)
    {
        using var socket = new Socket(IPAddress.Parse(address).AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        var isThere = true;
        try { socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0)); }
        catch (SocketException) { isThere = false; }
        Need(isThere, $"this machine has no address {address}");
    }

    public static void Need(bool isMet, string reason)
    {
        if (!isMet && IsRequired) { throw new XunitException($"COAP_INTEROP=required, but {reason}."); }
        Skip.IfNot(isMet, $"{reason}.");
    }

    private static bool IsInstalled(string name) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(folder => File.Exists(Path.Combine(folder, name)));
}

using System.Net;
using System.Net.Sockets;
using CoAP;

namespace Backend;

/// <summary>Counts the open pages, in total and of each address. Safe for concurrent use.</summary>
internal sealed class OpenPages(BackendSettings settings)
{
    private const int SiteBytes = 8;        // the holder of an IPv6 network has all addresses of a /64

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, int> _open = new(SeededComparer<IPAddress>.Default);
    private int _total;

    /// <summary>Opens a page. Returns <see langword="null"/> if there are too many.</summary>
    /// <param name="remote">The address of the browser; <see langword="null"/> if it has none.</param>
    /// <param name="isAddressFull">Whether the pages of this address are too many, and not all pages together.</param>
    public IDisposable? TryOpen(IPAddress? remote, out bool isAddressFull)
    {
        var site = SiteOf(remote ?? IPAddress.None);
        lock (_gate)
        {
            var count = _open.GetValueOrDefault(site);
            isAddressFull = count >= settings.MaxPagesPerAddress;
            if (isAddressFull || _total >= settings.MaxPages) { return null; }
            _open[site] = count + 1;
            _total++;
        }
        return new Page(this, site);
    }

    private static IPAddress SiteOf(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6) { return address.MapToIPv4(); }
        if (address.AddressFamily != AddressFamily.InterNetworkV6) { return address; }
        var bytes = address.GetAddressBytes();
        bytes.AsSpan(SiteBytes).Clear();
        return new IPAddress(bytes);
    }

    private void Close(IPAddress site)
    {
        lock (_gate)
        {
            _total--;
            if (--_open[site] == 0) { _open.Remove(site); }
        }
    }

    private sealed class Page(OpenPages pages, IPAddress site) : IDisposable
    {
        private bool _isClosed;

        public void Dispose()
        {
            if (!Interlocked.Exchange(ref _isClosed, true)) { pages.Close(site); }
        }
    }
}

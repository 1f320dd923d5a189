using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>Waits until one of many sockets has something to read, or room to write where that was asked for.</summary>
internal interface IReadiness : IDisposable
{
    void Add(Socket socket, int number);

    /// <summary>Whether room to write is waited for, too.</summary>
    void WatchWrites(Socket socket, int number, bool isWanted);

    void Remove(Socket socket, int number);

    /// <summary>Waits, at most so long, and answers how many sockets are ready.</summary>
    int Wait(long nanoseconds);

    /// <summary>The number of a socket that is ready.</summary>
    int NumberAt(int index);

    bool IsReadable(int index);

    bool IsWritable(int index);
}

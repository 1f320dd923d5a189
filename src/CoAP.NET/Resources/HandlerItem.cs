namespace CoAP.Resources;

/// <summary>An item that a lane hands over to handler threads at the end of its turn. Its account has been charged.</summary>
/// <param name="Item">The item.</param>
/// <param name="Account">The account of its peer.</param>
/// <param name="IsStream">Whether its response is sent over a connection.</param>
/// <param name="IsQuick">Whether it probably takes microseconds, so that it can share a thread.</param>
internal readonly record struct HandlerItem<T>(T Item, Account Account, bool IsStream, bool IsQuick);

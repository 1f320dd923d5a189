using CoAP.Exchanges;

namespace CoAP;

/// <summary>What a stage of a package can do on its lane beside passing items on.</summary>
public static class LaneExtensions
{
    /// <summary>Ends an item that a stage does not pass on, in the same way as a filter. Called on the lane.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="arrow">The arrow of the stage.</param>
    /// <param name="item">The item. A request gets no response; the response of a dropped answer is not sent.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    /// <exception cref="InvalidOperationException">The caller does not run on the lane.</exception>
    public static void Drop<T>(this ILane lane, MeshArrow<T> arrow, T item)
    {
        ArgumentNullException.ThrowIfNull(lane);
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(item);
        if (lane is not ExchangeLane exchanges) { throw new ArgumentException("The lane does not belong to an endpoint.", nameof(lane)); }
        if (!exchanges.IsOwnedByCaller) { throw new InvalidOperationException("Drop must be called on the lane. Use ILane.Post to run it there."); }
        arrow.Drop(exchanges, item);
    }
}
